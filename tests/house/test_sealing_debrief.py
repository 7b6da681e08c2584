"""The second vote is nobody's but its author's before the round is closed: no page, frame or number tells of it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from interviews import log
from scoring.enums import DebriefPhase
from scoring.live.debrief_room import draw_all, presence, snapshot
from scoring.models import DebriefVote
from scoring.models.debrief import VoteManager
from scoring.queries.debriefs import load_parts
from tests.cast import Cast
from tests.house.people import client_of, furnish
from tests.house.test_sealing_matrix import NOISE, UPPER
from tests.support.debriefs import Talk, all_in

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("printed_as_html")]

CANARY = "canary 8: the second vote of the sealed shaft"
VOTE = {"recommendation": "strong_no", "reason": CANARY, "version": 0}
CLOCK = re.compile(r'data-now="[^"]*"')


@pytest.fixture
def talk(cast: Cast) -> Talk:
    scene = all_in(cast)
    furnish(scene)
    return Talk(scene).to("voting")


def answer_of(talk: Talk, who: str, ending: str, name: str = "scoring:debrief") -> str:
    url = reverse(name, kwargs={"code": talk.scene.application.code})
    return client_of(who, talk.scene).get(f"{url}{ending}").content.decode()


def page_of(talk: Talk, who: str, name: str = "scoring:debrief") -> str:
    """What somebody reads at the address, as a page and as JSON."""
    return "".join(answer_of(talk, who, ending, name) for ending in ("", "?format=json"))


def heard(talk: Talk, who: str) -> str:
    """Everything that this seat's socket would ever be sent."""
    part = load_parts(pk=talk.seats[who].pk)[talk.seats[who].pk]
    room = talk.debrief.room_id
    sent: list[Any] = [presence(room)]
    for language in ("en", "zh-hans"):
        for stream in (log.PANEL, part.mine):
            events = log.since(room, {stream: 0})
            sent += draw_all(events, language) if events else []
        sent.append(snapshot(part.seat, language))
    return json.dumps(sent, ensure_ascii=False)


def test_a_second_vote_is_found_nowhere_before_the_round_is_closed_and_by_all_after_it(talk: Talk) -> None:
    talk.do("bo", "vote.set", **VOTE)
    for who in ("mara", "ana", "ada"):
        client = client_of(who, talk.scene)
        for route in UPPER:
            with transaction.atomic():
                address = route.url(talk.scene)
                answers: list[Any] = [client.get(f"{address}{ending}") for ending in ("", "?format=json")]
                text = b"".join(b"".join(one) for one in answers).decode(errors="replace")  # some come as a stream
                transaction.set_rollback(True)
            assert CANARY not in text, (who, route.name)
    assert {who: CANARY in heard(talk, who) for who in talk.seats} == {
        "mara": False,
        "ana": False,
        "bo": True,
        "chen": False,
    }
    assert CANARY in page_of(talk, "bo")

    talk.do("mara", "phase.next")

    assert all(CANARY in heard(talk, who) and CANARY in page_of(talk, who) for who in talk.seats)
    assert all(CANARY in answer_of(talk, who, "?format=json") for who in talk.seats)
    assert CANARY not in page_of(talk, "mara", "scoring:ledger")


def test_what_is_voted_moves_no_byte_of_anybody_elses_debrief(talk: Talk) -> None:
    def seen(*names: str, **vote: Any) -> list[str]:
        with transaction.atomic():
            if vote:
                talk.do("bo", "vote.set", **vote)
            texts = [text for who in names for text in (page_of(talk, who), _timeless(heard(talk, who)))]
            transaction.set_rollback(True)
        for noise in (*NOISE, CLOCK):
            texts = [noise.sub("", text) for text in texts]
        return texts

    other = {"recommendation": "yes", "version": 0}
    page_of(talk, "ana")  # who comes is written down once
    page_of(talk, "chen")
    assert seen("ana", "chen") == seen("ana", "chen", **VOTE) == seen("ana", "chen", **other)
    # Who closes the round learns that there is a vote, and nothing of it.
    voted = seen("mara", **VOTE)
    assert _but_ids(voted) == _but_ids(seen("mara", **other))
    assert voted != seen("mara")


def _timeless(text: str) -> str:
    return re.sub(r'"(at|made_at)": "[^"]*"', "", text)


def _but_ids(texts: list[str]) -> list[str]:
    return [re.sub(r'"cause": "[^"]*"', "", text) for text in texts]


def test_a_vote_can_be_fetched_by_its_author_alone_until_the_round_is_closed(talk: Talk) -> None:
    talk.do("bo", "vote.set", **VOTE)
    people = {name: getattr(talk.cast, name) for name in ("bo", "ana", "mara", "sam")}

    def read() -> dict[str, bool]:
        return {
            name: DebriefVote.objects.visible_to(person).filter(round="after").exists()
            for name, person in people.items()
        }

    assert read() == {"bo": True, "ana": False, "mara": False, "sam": False}
    talk.do("mara", "phase.next")
    assert read() == {"bo": True, "ana": True, "mara": True, "sam": False}


def test_without_its_guard_the_second_vote_would_be_found(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of the tests above: the one condition that seals is the one that they hold."""
    talk.do("bo", "vote.set", **VOTE)
    assert talk.again().phase == DebriefPhase.VOTING

    monkeypatch.setattr(VoteManager, "shown_in", lambda self, debrief: self._rows().filter(seat__debrief=debrief))

    assert CANARY in page_of(talk, "ana")
    assert CANARY in heard(talk, "ana")
