"""The hint's fragment: one's own marks alone, the calibration where there is one, words for every reason."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from interviews.hints import Because, may_come
from interviews.queries.hints import read_difficulty, trees_heard
from interviews.queries.room import room_view
from interviews.rendering.hints import hinted_follow
from interviews.rules.ability import Difficulty
from people.models import Person
from questionbank.models import Probe, ProbeFigures
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.support.factories import make_scene
from tests.support.room_page import BY_ID, draw
from tests.support.web import session_of

pytestmark = pytest.mark.db


@pytest.fixture
def room(cast: Cast) -> Room:
    room = Room(make_scene(cast))
    room.do("ana", "interview.start")
    return room


def fragment(room: Room, who: Person) -> str:
    client = Client(headers={"HX-Request": "true"})
    client.cookies["sessionid"] = session_of(who)
    response = client.get(reverse("interviews:room-hint", args=[room.scene.interview.code]))
    assert response.status_code == 200
    return response.content.decode()


def region(room: Room, who: Person) -> Any:
    found = BeautifulSoup(fragment(room, who), "html.parser").find(id="hint")
    assert found is not None
    return found


def hinted(room: Room, who: Person) -> str:
    return str(region(room, who)["data-probe"])


def why(room: Room, who: Person) -> str:
    return " ".join(region(room, who).select_one(".next__why-text").get_text().split())


def test_a_hint_follows_ones_own_marks(room: Room) -> None:
    ana = room.scene.cast.ana
    assert (hinted(room, ana), why(room, ana)[:5]) == ("data-parallel/root", "Data ")
    assert "Nothing was asked on this tree yet." in why(room, ana)

    root = room.ask()
    room.do("ana", "mark.set", asked=root, outcome="sustained", version=0)
    assert hinted(room, ana) == "data-parallel/l2"
    assert "You have level 1 sustained and nothing at level 2." in why(room, ana)
    assert "fits: 3 of 14 min left" in why(room, ana)

    room.do("ana", "mark.set", asked=root, outcome="not_sustained", version=1)
    assert hinted(room, ana) == "zero-stages/root"  # rather than to change the subject later

    other = room.ask("zero-stages/root")
    room.do("ana", "mark.set", asked=other, outcome="not_sustained", version=0)
    assert hinted(room, ana) == "zero-stages/root-rescue"
    assert "You have a miss at level 1; a second try confirms or corrects it." in why(room, ana)

    room.do("ana", "boundary.set", tree="zero-stages", ended="wrong", version=0)
    assert hinted(room, ana) == "data-parallel/root-rescue"


def test_what_others_marked_never_changes_a_hint(room: Room) -> None:
    scene = room.scene
    with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
        root, second = room.ask(), room.ask("data-parallel/l2")
        room.do("ana", "mark.set", asked=root, outcome="sustained", version=0)
        before = fragment(room, scene.cast.ana)
        for who in ("bo", "dee"):
            room.do(who, "mark.set", asked=root, outcome="not_sustained", aid="told", version=0)
            room.do(who, "mark.set", asked=second, outcome="not_sustained", version=0)
            room.do(who, "boundary.set", tree="data-parallel", ended="wrong", version=0)

        assert fragment(room, scene.cast.ana) == before
        assert hinted(room, scene.cast.bo) == "zero-stages/root"  # whose own marks say something else


def test_only_who_leads_is_given_a_button_that_asks(room: Room) -> None:
    room.do("ana", "mark.set", asked=room.ask(), outcome="sustained", version=0)
    lead, other = region(room, room.scene.cast.ana), region(room, room.scene.cast.bo)

    assert lead.has_attr("hidden")
    assert lead.select_one("[data-command='probe.ask']")["data-probe"] == lead["data-probe"]
    assert not other.has_attr("hidden")
    assert [button["data-command"] for button in other.select("button")] == ["hint.look", "outline.press"]
    assert "Worth asking" in other.get_text()


def test_a_row_names_another_tree_and_no_condition_of_what_was_never_asked(room: Room) -> None:
    root = room.ask()
    view = room_view(room.scene.interview.room_id)
    here, there = view.pinned
    second, other = (
        replace(next(probe for probe in pinned.says.probes if probe.id.endswith("/l2")), outcomes=("sustained",))
        for pinned in (here, there)
    )
    follow = hinted_follow(view, here, second, elsewhere=False)
    assert (follow["outcomes"], "tree_title" in follow) == (["sustained"], False)
    follow = hinted_follow(view, there, other, elsewhere=True)
    assert (follow["outcomes"], follow["tree_title"]) == ([], "Zero stages")
    html = " ".join(draw("interviews/frames/next_one.html", {"follow": follow}).split())
    assert "Zero stages" in html
    assert "next__if" not in html

    room.do("ana", "probe.retract", asked=root)
    view = room_view(room.scene.interview.room_id)
    assert hinted_follow(view, here, second, elsewhere=False)["outcomes"] == []


def test_there_is_no_hint_before_the_start_and_after_the_end(cast: Cast) -> None:
    room = Room(make_scene(cast))
    assert hinted(room, cast.ana) == ""

    room.do("ana", "interview.start")
    assert hinted(room, cast.ana)
    room.do("ana", "interview.pause")
    assert hinted(room, cast.ana)
    room.do("ana", "interview.end")
    assert hinted(room, cast.ana) == ""
    assert region(room, cast.ana).has_attr("hidden")


def test_what_the_calibration_wrote_down_counts(room: Room) -> None:
    ana = room.scene.cast.ana
    room.do("ana", "mark.set", asked=room.ask(), outcome="sustained", version=0)
    probe = Probe.objects.get(version=room.scene.versions[0], key="l2")
    assert hinted(room, ana) == "data-parallel/l2"

    figures = ProbeFigures.objects.create(
        tree=room.scene.versions[0].tree,
        probe_key="l2",
        content_hash=probe.content_hash,
        difficulty={"depth": [6.5, 0.1], "why": [0.0, 0.1]},
    )
    assert hinted(room, ana) == "data-parallel/l2-again"

    # Of another wording nothing is known.
    ProbeFigures.objects.filter(pk=figures.pk).update(content_hash="0" * 64)
    assert hinted(room, ana) == "data-parallel/l2"


def test_an_optional_tree_says_so(room: Room) -> None:
    room.scene.position.optional_trees.set([version.tree for version in room.scene.versions])

    assert "tells whether they have met it at all" in why(room, room.scene.cast.ana)


def test_what_was_taken_back_is_hinted_at_again(room: Room) -> None:
    asked = room.ask()
    assert hinted(room, room.scene.cast.ana) != "data-parallel/root"

    room.do("ana", "probe.retract", asked=asked)

    assert hinted(room, room.scene.cast.ana) == "data-parallel/root"


def test_a_question_of_the_leads_own_counts_at_its_level(room: Room) -> None:
    scene = room.scene
    room.do("ana", "mark.set", asked=room.ask(), outcome="sustained", version=0)
    own = {"text": "And on your own machine?", "parent": "data-parallel/root", "kind": "probe", "aims": ["depth"]}
    asked = room.do("ana", "probe.adhoc", **own)
    room.do("ana", "mark.set", asked=asked, outcome="sustained", version=0)

    view = room_view(scene.interview.room_id)
    tree = trees_heard(view, scene.ana, now=timezone.now())[0]

    assert {probe.id for probe in may_come(tree)} >= {"data-parallel/l2", "data-parallel/l3"}
    assert tree.asks[-1].probe == f"data-parallel/{asked}"
    # Taken back it may be asked again, and is hinted at all the same by nobody.
    room.do("ana", "probe.retract", asked=asked)
    view = room_view(scene.interview.room_id)
    assert f"data-parallel/{asked}" in {probe.id for probe in view.pinned[0].says.probes}
    tree = trees_heard(view, scene.ana, now=timezone.now())[0]
    assert f"data-parallel/{asked}" not in {probe.id for probe in tree.probes}


# --- words ------------------------------------------------------------------------------------------------------------


def hint(**more: Any) -> dict[str, Any]:
    given = {"because": "go_up", "level": 3, "floor": 2, "aims": [], "minutes": 3, "left": 5, "fits": True}
    names = {"tree_title": "ZeRO", "tree_lang": "en", "elsewhere": False, "probe": "zero/share"}
    return {**given, **names, "follow": BY_ID["zero/share"]["follow"], **more}


def said(language: str = "en", **more: Any) -> str:
    return " ".join(draw("interviews/room/hint_why.html", {"hint": hint(**more)}, language=language).split())


def test_every_reason_has_words_of_its_own() -> None:
    first = {because: said(because=because.value).partition(".")[0] for because in Because}

    assert len(set(first.values())) == len(Because)
    assert all(re.match(r"[A-Z]\w+ ", words) for words in first.values())


def test_the_sentences_are_as_drawn() -> None:
    assert said(aims=["hands_on"]) == (
        "You have level 2 sustained and nothing at level 3. This one tells reading from running."
        " It tells most for its time, and fits: 3 of 5 min left."
    )
    assert said(aims=["why"], floor=0, left=2, fits=False) == (
        "You have nothing at level 3. This one asks for the reasons."
        " It tells most for its time, but takes 3 min; 2 left of this tree."
    )
    assert said(left=None, elsewhere=True).startswith('<span class="next__why-tree"><b lang="en">ZeRO</b>. </span>You')
    assert said(left=None).endswith("It tells most for its 3 min.")


def test_words_of_the_bank_keep_their_language() -> None:
    with translation.override("zh-hans"):
        html = said("zh-hans", elsewhere=True)
    assert '<b lang="en">ZeRO</b>' in html


# --- difficulties -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"depth": [0.5, 0.2], "why": [2.0, 0.1]}, Difficulty(0.5, 0.2)),
        ({"why": [1.0, 0.2], "hands_on": [2.0, 0.4]}, Difficulty(1.5, 0.30000000000000004)),
        ({}, None),
        ({"depth": [0.5]}, None),
        ({"depth": ["hard", 0.1]}, None),
        ({"depth": [float("nan"), 0.1], "why": [1, 0]}, Difficulty(1.0, 0.0)),
        ({"another": [1.0, 0.1]}, None),
    ],
)
def test_a_difficulty_is_that_of_depth_where_there_is_one(written: dict[str, Any], read: Difficulty | None) -> None:
    assert read_difficulty(written) == read
