"""Nothing tells you another's judgement before the seal lets it: every page, JSON and frame, as everybody, always.

Two ways: Bo's words are looked for everywhere and must be found exactly where DOMAIN's rules let them be read; and what
Bo marked must not move a byte of what those see who may not read it.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.core import mail
from django.db import transaction
from django.test import Client

from interviews import log
from interviews.enums import SealingPolicy
from interviews.live import frames
from interviews.models import CandidateIdentity, Seat
from interviews.queries.standing import streams_for
from people.enums import PersonRole
from people.models import Person
from scoring.models import FeedbackLetter
from scoring.services.letters import deliver_letter
from tests.cast import Cast
from tests.house.answers import Route
from tests.house.people import client_of
from tests.house.routes import ROUTES, walk
from tests.house.worlds import CANARIES, JUDGED, PREPARED, STATES, A, B, State, World

pytestmark = [pytest.mark.db, pytest.mark.long, pytest.mark.usefixtures("printed_as_html")]

# Ada, who administers, reads by Mara's rule: she walks where everybody looks at everything, and further below.
INSIDE = ("mara", "ana", "bo", "chen", "dee", "eli")
OUTSIDE = ("nils", "cora", "kim")
SEATED = ("ana", "bo", "chen", "dee", "eli", "candidate")

# Lower apps can't import what holds judgements (import-linter), so their pages are walked in one state only; but for
# the home page, where the upper ones have their say.
LOWER = ("people:", "questionbank:", "account_")
PAGES = [route for route in ROUTES if "GET" in route.answers]
UPPER = [route for route in PAGES if not route.name.startswith(LOWER) or route.name == "people:home"]

# Where those who may read Bo's words find them. Nobody reads a card in a room but one's own.
TIMELINE = {"interviews:timeline", "interviews:timeline-csv", "interviews:timeline-json"}
OTHERS = {"scoring:card", "scoring:panel", "scoring:panel-pdf", *TIMELINE}
# The letter moves with the marks too, for who may read them, and has nobody's words in it.
LETTER = {"scoring:letter", "scoring:letter-text"}
AUTHOR = {"interviews:room", *OTHERS}
ON_THE_CARD = {"summary", "recommendation"}
OWN_NOTE = {"interviews:preparation", "interviews:room"}  # of before it began: theirs for ever, whatever is open
# Where what Bo marked shows in figures without a word of his: over the panel, and in the table of marks.
FIGURES = {"scoring:panel", "scoring:candidate", "scoring:compare"}
MARKS = "scoring:marks-csv"
NAMES = re.compile(r"\b(?:Ana|Bo|Chen|Dee|Eli)\b")

# What answers JSON when asked for it, and what does so unasked, which is asked for once; a test below finds out.
ALWAYS_JSON = {"interviews:settled", "interviews:timeline-json"}
JSON = {
    "interviews:interview-detail",
    "interviews:timeline",
    "interviews:timeline-json",
    "scoring:candidate",
    "scoring:card",
    "scoring:compare",
    "scoring:debrief",
    "scoring:ledger",
    "scoring:panel",
}


def test_every_address_is_walked() -> None:
    walked = {(route.pattern, route.name) for route in ROUTES}

    assert walked == set(walk())
    assert {route.name for route in UPPER} > {"scoring:card", "scoring:panel", "interviews:room", "people:home"}


def test_json_is_asked_for_wherever_there_is_some(cast: Cast) -> None:
    world = World(cast)
    found: dict[str, set[str]] = {"": set(), "?format=json": set()}
    for route in PAGES:
        who = next((who for who in ("ada", "mara", "bo", "eli") if route.answers["GET"][who] == 200), "")
        for asked, names in found.items() if who else ():
            answer = client_of(who, world.scene).get(f"{route.url(world.scene)}{asked}")
            if "json" in answer.headers["Content-Type"]:
                names.add(route.name)

    # No debrief is open to anybody in this world: its JSON has tests of its own (test_sealing_debrief.py).
    assert found == {"": ALWAYS_JSON, "?format=json": JSON - {"scoring:debrief"} | ALWAYS_JSON}


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name.replace(" ", "-"))
def test_words_are_read_by_exactly_those_whom_the_seal_lets(cast: Cast, state: State) -> None:
    everywhere = state.name == "all in"  # where most is open, everybody looks at everything
    viewers, routes = (("ada", *INSIDE, *OUTSIDE), PAGES) if everywhere else (INSIDE, UPPER)
    world = World(cast, state.sealing)
    state.reach(world)
    check_pages(world, state, viewers, routes)
    # What a letter would tell the candidate: nobody's words or name, and nothing at all before all is in.
    letters = _letters(world, viewers)
    assert set(letters) == ({"ada", "mara"} & set(viewers) if state.name.startswith("all in") else set())
    assert {who for who, text in letters.items() if _canaries(text) or NAMES.search(text)} == set()
    # Frames of a room never tell more than its author's own, whatever is open by now.
    heard = {who: _canaries(_frames(getattr(world.scene, who))) for who in SEATED}
    assert heard == {who: set(CANARIES) - ON_THE_CARD if who == "bo" else set() for who in SEATED}


def check_pages(world: World, state: State, viewers: tuple[str, ...], routes: list[Route]) -> None:
    """Look for Bo's words on pages, in one state of the seal. tests/house/test_seal_removed.py sees this fail."""
    readers = set(state.readers.split()) & set(viewers)

    found: dict[str, set[str]] = {}
    places: dict[str, set[str]] = {}
    walked = {route.name for route in routes}
    figures: dict[str, set[str]] = {name: set() for name in FIGURES & walked}
    marks = set()
    judged: dict[str, set[str]] = {}
    prepared: dict[str, set[str]] = {}
    for who, route, text in _pages(world, viewers, routes):
        for words, where in ((JUDGED, judged), (PREPARED, prepared)):
            if words in text:
                where.setdefault(who, set()).add(route.name)
        if route.name in FIGURES and '"dimensions"' in text:
            figures[route.name].add(who)
        if route.name == MARKS and ",Bo," in text:
            marks.add(who)
        if seen := _canaries(text):
            found.setdefault(who, set()).update(seen)
            places.setdefault(who, set()).add(route.name)

    # The detector finds every one of them where it may be read, and nothing anywhere else.
    written = set(CANARIES) if state.name != "while it runs" else set(CANARIES) - ON_THE_CARD
    assert found == dict.fromkeys(readers, written)
    for who, names in places.items():
        assert names <= (AUTHOR if who == "bo" else OTHERS), who
    seeing, in_charge = set(state.figures.split()) & set(viewers), {"mara", "ada"}
    assert figures == {name: seeing & in_charge if name == "scoring:compare" else seeing for name in figures}
    # What an automatic judge said is read with the panel's figures, and on its own page alone.
    assert judged == {who: {"scoring:judged"} for who in seeing if "scoring:judged" in walked}
    assert marks == (readers & in_charge if MARKS in walked else set())
    assert prepared == ({"bo": OWN_NOTE & walked} if "bo" in viewers and OWN_NOTE & walked else {})


def _letters(world: World, viewers: tuple[str, ...]) -> dict[str, str]:
    """The e-mail that each of them makes of the letter as it is drafted for them."""
    sent = {}
    for who in viewers:
        with transaction.atomic():
            CandidateIdentity.objects.update(email="kim@candidates.example")
            client, address = client_of(who, world.scene), f"/applications/{world.scene.application.code}/letter/"
            drafted = BeautifulSoup(client.get(address).content, "html.parser").select_one("#letter textarea")
            body = drafted.get_text() if drafted else "Dear Kim"
            client.post(f"{address}send/", {"version": "0", "body": body})
            for letter in FeedbackLetter.objects.filter(queued_at__isnull=False):
                deliver_letter(letter.pk)
                sent[who] = str(mail.outbox.pop().message())
            transaction.set_rollback(True)
    return sent


def _canaries(text: str) -> set[str]:
    return {kind for kind, words in CANARIES.items() if words in text}


def _frames(seat: Seat) -> str:
    """Everything that this seat's socket would ever be sent, as JSON."""
    seat = Seat.objects.select_related("interview").get(pk=seat.pk)
    room = seat.interview.room_id
    sent: list[dict[str, Any]] = [frames.presence(room)]
    for language in ("en", "zh-hans"):
        for stream in streams_for(seat).values():
            sent += frames.draw_all(log.since(room, {stream: 0}), language) if log.heads(room, [stream])[stream] else []
        sent.append(frames.snapshot(seat.pk, language))
    if seat.person is not None:
        sent.append(frames.closing(seat.pk))
    return json.dumps(sent, ensure_ascii=False)


# --- everything else: order, colour, count, number --------------------------------------------------------------------

NOISE = (
    re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"'),
    re.compile(r'"X-CSRFToken": "[^"]*"'),
    re.compile(r'nonce="[^"]*"|nonce-[^\';]*'),
    # A link is seen once, when it is made, and so is a judge's token.
    re.compile(r"/c/[\w-]{30,}/"),
    re.compile(r'id="token" [^>]*value="[^"]*"'),
    # A form that is filled in anew carries a fresh id for what it will make.
    re.compile(r'name="code" value="[^"]*"'),
)
NEW_EACH_TIME = ("Set-Cookie", "Content-Length")


@pytest.fixture
def world(cast: Cast) -> World:
    return World(cast)


def test_whoever_has_not_submitted_sees_the_same_whatever_bo_did(world: World) -> None:
    """Bo silent; marking; with a card in; with quite another card in: not a byte of it reaches the other raters."""
    world.end()

    seen = [_everything(world, ("ana", "chen"), act) for act in (_nothing, _judges(A), _hands_in(A), _hands_in(B))]

    for other in seen[1:]:
        assert _differences(seen[0], other) == []
    assert len(seen[0]) >= 100  # two people, every address: an empty walk would prove nothing


def test_whoever_rates_nobody_sees_the_same_whatever_bo_did(world: World) -> None:
    world.end()
    viewers = ("dee", "eli", *OUTSIDE)

    silent, card_in = (_everything(world, viewers, act) for act in (_nothing, _hands_in(A)))

    assert _differences(silent, card_in) == []


def test_a_running_room_looks_the_same_whatever_bo_marks(cast: Cast) -> None:
    world = World(cast)
    viewers = ("ana", "eli", "kim", "mara")

    silent, marking = (_everything(world, viewers, act) for act in (_nothing, lambda world: world.bo_judges(A)))

    assert _differences(silent, marking) == []


def test_who_is_in_charge_learns_that_a_card_is_in_and_nothing_of_it(world: World) -> None:
    world.end()

    none, some, others = (_everything(world, ("mara", "ada"), act) for act in (_nothing, _hands_in(A), _hands_in(B)))

    assert _differences(some, others) == []
    assert {place for _who, place, *_rest in _differences(none, some)} <= {
        "interviews:position-list",  # how many cards are owed
        "people:home",
        "interviews:position-detail",
        "interviews:application-detail",
        "interviews:card-excuse",
        "scoring:panel",
        "scoring:open-early",
        "scoring:ledger",  # that a card came in, and when
    }


def test_a_manager_on_the_panel_is_held_to_the_raters_rule(world: World) -> None:
    """The narrowest rule wins: neither managing nor administrating opens what one's own card has not."""
    ana = world.scene.cast.ana
    Person.objects.filter(pk=ana.pk).update(roles=[PersonRole.MANAGER, PersonRole.ADMINISTRATOR, PersonRole.CURATOR])
    world.scene.position.managers.add(ana)
    world.end()

    seen = [_everything(world, ("ana",), act) for act in (_nothing, _hands_in(A), _hands_in(B))]

    for other in seen[1:]:
        assert _differences(seen[0], other) == []


def test_opening_early_opens_nothing_to_a_manager_who_rates(cast: Cast) -> None:
    """Even with their own card in: opening is for who is off the panel, and "after all" holds for the others."""
    world = World(cast, SealingPolicy.AFTER_ALL)
    world.scene.position.managers.add(world.scene.cast.ana)
    Person.objects.filter(pk=cast.ana.pk).update(roles=[PersonRole.MANAGER, PersonRole.ADMINISTRATOR])
    world.bo_judges(A)
    world.end()
    world.submit("ana", "bo")
    world.opened_early()

    read = {who: _canaries(" ".join(text for *_, text in _pages(world, (who,), UPPER))) for who in ("ana", "mara")}

    assert read == {"ana": set(), "mara": set(CANARIES)}


def test_an_amendment_under_way_reaches_nobody_but_its_author(world: World) -> None:
    """All cards are in and read by everybody; what Bo changes before his amendment is in is still his own."""
    world.bo_judges(A)
    world.end()
    world.submit("ana", "bo", "chen")
    world.bo_amends()

    seen = [_everything(world, ("ana", "dee", "mara"), act) for act in (_nothing, lambda world: world.bo_rethinks(B))]
    world.bo_rethinks(B)
    own = " ".join(text for *_, text in _pages(world, ("bo",), UPPER))

    assert _differences(*seen) == []
    assert {kind for kind, words in B.words.items() if words in own} >= {"note", "summary", "recommendation"}


def test_the_detector_sees_what_bo_marked_where_it_may_be_read(world: World) -> None:
    """With all cards in, the same walk differs by what Bo marked: else the tests above would prove nothing."""
    world.end()
    world.submit("ana", "chen")

    one, other = (_everything(world, ("ana", "mara"), act) for act in (_hands_in(A), _hands_in(B)))

    assert {place for _who, place, *_rest in _differences(one, other)} == OTHERS | LETTER | FIGURES | {MARKS}


def _nothing(world: World) -> None:
    pass


def _judges(how: Any) -> Callable[[World], None]:
    def act(world: World) -> None:
        world.bo_judges(how)
        world.bo_drafts(how)

    return act


def _hands_in(how: Any) -> Callable[[World], None]:
    def act(world: World) -> None:
        world.bo_judges(how)
        world.submit("bo", how=how)

    return act


Seen = dict[tuple[str, str, str], str]


def _everything(world: World, viewers: tuple[str, ...], act: Callable[[World], None]) -> Seen:
    """Let Bo act, walk everything as these viewers, at one and the same moment, and take it all back."""
    with transaction.atomic():
        with time_machine.travel(world.moment, tick=False):
            act(world)  # when a card came in is told to who is in charge
        with time_machine.travel(world.moment + timedelta(minutes=1), tick=False):
            browsers = {who: client_of(who, world.scene) for who in viewers}
            seen = {
                (who, route.name, kind): text
                for who, browser in browsers.items()
                for route in ROUTES
                if route.name == "people:home" or not route.name.startswith(LOWER)
                for kind, text in _answers(browser, route, world)
            }
        transaction.set_rollback(True)
    return seen


def _answers(client: Client, route: Route, world: World) -> Iterator[tuple[str, str]]:
    """Every answer of an address, without what is new each time: HTML, JSON, and what an empty form is told."""
    url = route.url(world.scene)
    requests: list[tuple[str, str]] = []
    if "GET" in route.answers:
        requests += [("GET", url), *([("GET", f"{url}?format=json")] if route.name in JSON else [])]
    if "POST" in route.answers:
        requests.append(("POST", url))
    for method, address in requests:
        cookies = copy.deepcopy(client.cookies)
        with transaction.atomic():
            response: Any = client.generic(method, address)
            transaction.set_rollback(True)
        client.cookies = cookies
        headers = {
            name: value for name, value in response.headers.items() if name not in ("Set-Cookie", "Content-Length")
        }
        text = f"{response.status_code} {headers} {_body(response)}"
        for noise in NOISE:
            text = noise.sub("", text)
        yield f"{method} {address.partition('?')[2]}", text


def _body(response: Any) -> str:
    """The whole of an answer, also of one that is sent while it is made. An archive is no text."""
    return b"".join(response).decode(errors="replace")


def _differences(one: Seen, other: Seen) -> list[tuple[str, str, str, str, str]]:
    """Where two walks differ: (viewer, address, request, the place in one, the place in the other)."""
    assert one.keys() == other.keys()
    return [(*where, *_first_difference(text, other[where])) for where, text in one.items() if text != other[where]]


def _first_difference(one: str, other: str) -> tuple[str, str]:
    at = next(at for at, (a, b) in enumerate(zip(f"{one}\0", f"{other}\0", strict=False)) if a != b)
    return one[max(0, at - 60) : at + 60], other[max(0, at - 60) : at + 60]


def _pages(world: World, viewers: tuple[str, ...], routes: list[Route]) -> Iterator[tuple[str, Route, str]]:
    """Every page and its JSON, as these viewers; what reading writes down is taken back."""
    for who in viewers:
        client = client_of(who, world.scene)
        for route in routes:
            url = route.url(world.scene)
            for address in (url, f"{url}?format=json") if route.name in JSON else (url,):
                with transaction.atomic():
                    response: Any = client.get(address)
                    transaction.set_rollback(True)
                yield who, route, _body(response)
