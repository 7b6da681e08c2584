"""A whole interview without a mouse: four trees, two interviewers, a candidate, and the line cut twice.

Nothing here clicks. What has no key of its own is reached by the list of commands or by Tab, as people do it.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from interviews.log import ALL, PANEL, mine
from interviews.models import Asked, Boundary, Event, Interview, Mark, Note, Seat
from tests.browser.test_room_live import browsers
from tests.cast import Cast
from tests.faults.chaos.proxy import Proxy
from tests.support.factories import Scene, make_link, make_scene
from tests.support.web import Web, session_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TREES = ("data-parallel", "zero-stages", "evaluation-design", "inference")
PARTS = ("outcome", "aid", "ratings")
# How each level of each tree goes: outcome, help and rating, as Ana hears it and as Bo does.
HEARD = (("az3", "sx3"), ("az2", "ac2"), ("fz0", "dv1"))
JUDGED = len(TREES) * len(HEARD)


class Network:
    """One person's way to the server, which can be cut."""

    def __init__(self, port: int) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.proxy = Proxy(port, random.Random(4))  # noqa: S311 - which connections it would spare, no secret
        self._do(self.proxy.start())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.proxy.port}"

    def cut(self) -> None:
        self.proxy.refuses = True
        self.loop.call_soon_threadsafe(self.proxy.cut, 1.0)

    def mend(self) -> None:
        self.proxy.refuses = False

    def close(self) -> None:
        self._do(self.proxy.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def _do(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout=20)  # type: ignore[arg-type]


@pytest.fixture
def networks(web: Web) -> Iterator[list[Network]]:
    found = [Network(web.port), Network(web.port)]
    yield found
    for network in found:
        network.close()


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, trees=TREES)


@pytest.mark.long
def test_four_trees_by_keyboard_with_the_line_cut_twice_lose_nothing(
    browser: Browser, web: Web, scene: Scene, networks: list[Network]
) -> None:
    anas, bos = networks
    token, _link = make_link(scene.candidate)
    room = f"/interviews/{scene.interview.code}/room/"
    with browsers(browser) as open_page:
        kim = open_page(web.url, f"/c/{token}/", "")
        ana, bo = (
            open_page(way.url, room, session_of(person))
            for way, person in ((anas, scene.cast.ana), (bos, scene.cast.bo))
        )
        begin(ana, bo, kim)
        for tree in TREES:
            command(ana, f"root of {tree}")
            if tree == TREES[1]:
                at_the_same_question(ana, bo)
                cut_off(bos, bo, while_away=lambda: note(bo, "He drew the shards."), heard=HEARD[0][1])
                mark(ana, HEARD[0][0])
            else:
                both_mark(ana, bo, *HEARD[0])
            follow(ana, bo)
            both_mark(ana, bo, *HEARD[1])
            follow(ana, bo)
            if tree == TREES[2]:
                cut_off(anas, ana, while_away=lambda: note(ana, "No number named."), heard=HEARD[2][0])
                mark(bo, HEARD[2][1])
            else:
                both_mark(ana, bo, *HEARD[2])
            for page, why in ((ana, "n"), (bo, "r")):
                ends(page, why)
        finish(ana, bo, kim)
    assert_all_is_there(scene)


# --- what people do ---------------------------------------------------------------------------------------------------


def command(page: Page, words: str) -> None:
    """Find something by its words and press it."""
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(60):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {wanted}")


def begin(ana: Page, bo: Page, kim: Page) -> None:
    tab_to(kim, kim.get_by_label("I have read this and accept it."))
    kim.keyboard.press("Space")
    kim.keyboard.press("Enter")
    expect(kim.get_by_role("heading", name="You are in the lobby")).to_be_visible()
    for page in (ana, bo):
        page.locator("#line[data-state=live]").wait_for()
    expect(ana.get_by_role("button", name="Let the candidate in")).to_be_visible()
    command(ana, "Let the candidate in")
    expect(kim.get_by_role("heading", name="You are in", exact=True)).to_be_visible()
    command(ana, "Start")
    for page in (ana, bo):
        expect(page.locator("#room-status")).to_have_attribute("data-status", "live")


def at_the_same_question(ana: Page, bo: Page) -> None:
    """Wait until the panel has the asking: it has a number, and stands before both."""
    current = ana.locator("#asked-list [aria-current=step]")
    expect(current).not_to_have_attribute("data-seq", "")
    expect(bo.locator("#dock")).to_have_attribute("data-asked", current.get_attribute("data-asked") or "none")


def follow(ana: Page, bo: Page) -> None:
    """Ask the first follow-up of the question before."""
    before = ana.locator("#dock").get_attribute("data-asked") or ""
    expect(ana.locator("#next-list .next__press").first).to_have_attribute("aria-keyshortcuts", "Y")
    ana.keyboard.press("y")
    expect(ana.locator("#dock")).not_to_have_attribute("data-asked", before)
    at_the_same_question(ana, bo)


def both_mark(ana: Page, bo: Page, anas: str, bos: str) -> None:
    at_the_same_question(ana, bo)
    mark(ana, anas)
    mark(bo, bos)


def mark(page: Page, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    saved(page, *PARTS)


def saved(page: Page, *parts: str) -> None:
    for part in parts:
        expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", "saved")


def ends(page: Page, why: str) -> None:
    page.keyboard.press("b")
    page.keyboard.press(why)
    saved(page, "boundary")


def note(page: Page, words: str) -> None:
    page.keyboard.press("n")
    page.keyboard.type(words)
    page.keyboard.press("Escape")


def cut_off(way: Network, page: Page, *, while_away: Callable[[], None], heard: str) -> None:
    """Go on marking without a line; what was marked is shown as unsent, and arrives when the line is mended."""
    way.cut()
    expect(page.locator("#line")).not_to_have_attribute("data-state", "live")
    for key in heard:
        page.keyboard.press(key)
    while_away()
    for part in (*PARTS, "note"):
        expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", "unsent")
    expect(page.locator("#line-wait")).to_be_visible()
    way.mend()
    expect(page.locator("#line")).to_have_attribute("data-state", "live")
    saved(page, *PARTS, "note")
    expect(page.locator("#line-wait")).to_be_hidden()


def finish(ana: Page, bo: Page, kim: Page) -> None:
    command(ana, "End")
    ana.keyboard.press("Control+Enter")
    expect(kim.get_by_role("heading", name="The interview has ended")).to_be_visible()
    for page in (ana, bo):
        expect(page.get_by_text("Compared with the server: nothing lost.")).to_be_visible()


# --- what is there afterwards -----------------------------------------------------------------------------------------


def assert_all_is_there(scene: Scene) -> None:
    interview = Interview.objects.get(pk=scene.interview.pk)
    asked = list(Asked.objects.filter(interview=interview).order_by("seq"))
    assert [row.probe.key for row in asked if row.probe] == ["root", "l2", "l3"] * len(TREES)
    assert all(one.made_at <= other.made_at for one, other in pairwise(asked))
    for seat, outcomes in (
        (scene.ana, ["sustained", "sustained", "not_sustained"]),
        (scene.bo, ["partial", "sustained", "recited"]),
    ):
        marks = {row.asked_id: row for row in Mark.objects.written_by(seat)}
        assert [marks[row.pk].outcome for row in asked] == outcomes * len(TREES)
        assert {row.version for row in marks.values()} == {3}  # outcome, help and rating, each once
        assert Boundary.objects.written_by(seat).count() == len(TREES)
        assert Note.objects.written_by(seat).count() == 1
    made_while_away = marks_of(scene.bo)[asked[3].pk].made_at
    assert asked[3].made_at < made_while_away < asked[4].made_at  # when it was said, not when it arrived
    for stream in (ALL, PANEL, mine(scene.ana), mine(scene.bo)):
        seqs = list(
            Event.objects.filter(room=interview.room_id, stream=stream).order_by("seq").values_list("seq", flat=True)
        )
        assert seqs == list(range(1, len(seqs) + 1)), stream
    assert Event.objects.filter(room=interview.room_id, name="mark.set").count() == 2 * 3 * JUDGED


def marks_of(seat: Seat) -> dict[object, Mark]:
    return {row.asked_id: row for row in Mark.objects.written_by(seat)}
