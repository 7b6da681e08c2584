"""Frames repaint what others did and leave alone what a person is doing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.held import stop_clock
from tests.browser.room_peer import Peer, acknowledge, open_room, say_nothing
from tests.support import room_page
from tests.support.room_page import ASKED, asking, draw, tree

pytestmark = pytest.mark.browser

CURRENT = ASKED[1]
NEW = "aaaaaaaa-0000-4000-8000-000000000003"


def frame(partial: str, **context: object) -> str:
    return draw(f"interviews/frames/{partial}.html", context)


def rail(*, asked: list[dict[str, object]]) -> str:
    return frame("asked_list", trees=[tree("zero", "ZeRO’s three stages", asked=asked)])


def asks_on(peer: Peer) -> None:
    """The panel's event of a third asking, as a server would push it."""
    third = {**asking(1, "zero/share", current=True), "id": NEW, "seq": 4}
    current = {**room_page.context()["current"], "asked": NEW, "probe": room_page.BY_ID["zero/share"]}
    peer.event(
        "panel",
        "probe.ask",
        data={"asked": NEW, "probe": "zero/share"},
        html=rail(asked=[asking(0, "zero/split"), asking(1, "zero/cost"), third])
        + frame("current_probe", current=current),
    )


def marks(peer: Peer) -> None:
    mark = {"asked": ASKED[0], "outcome": "partial", "aid": None, "ratings": {}, "confidence": None, "version": 3}
    peer.event(
        "mine",
        "mark.set",
        data={"asked": ASKED[0], "outcome": "partial", "version": 3},
        html=frame("my_mark", mark=mark),
    )


def notes(peer: Peer) -> None:
    note = {"asked": CURRENT, "text": "From the tablet.", "version": 1}
    data = {"asked": CURRENT, "text": note["text"], "version": 1}
    peer.event("mine", "note.set", data=data, html=frame("my_note", note=note))


def pauses(peer: Peer) -> None:
    status = {**room_page.context()["status"], "status": "paused", "paused_at": room_page.NOW}
    peer.event("all", "interview.pause", html=frame("room_status", status=status))


def hands_over(peer: Peer) -> None:
    peer.event("panel", "lead.hand_over", html=frame("presence", seats=room_page.context()["seats"]))


EVENTS: list[Callable[[Peer], None]] = [asks_on, marks, notes, pauses, hands_over]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_typing_focus_and_selection_outlive_every_frame(page: Page, site: Site, event: Callable[[Peer], None]) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("n")
    page.keyboard.type("Said 2 times first")
    page.keyboard.press("Shift+ArrowLeft")

    event(peer)
    peer.settle()
    page.keyboard.type("!")

    focused = page.locator("textarea:focus")
    expect(focused).to_have_value("Said 2 times firs!")
    assert focused.get_attribute("data-note") == CURRENT


def test_typed_text_without_focus_outlives_a_frame_of_the_same_note(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("n")
    page.keyboard.type("Mine")
    page.keyboard.press("Escape")

    notes(peer)

    peer.settle()
    expect(page.locator(f"#my-note-{CURRENT} textarea")).to_have_value("Mine")


def test_untouched_note_takes_what_another_device_wrote(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    notes(peer)

    expect(page.locator(f"#my-note-{CURRENT} textarea")).to_have_value("From the tablet.")


def test_own_marks_in_the_rail_outlive_the_panels_frame(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    expect(page.locator(f"#my-mark-{ASKED[0]}")).to_have_attribute("data-outcome", "sustained")

    asks_on(peer)

    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)
    expect(page.locator(f"#my-mark-{ASKED[0]}")).to_have_attribute("data-outcome", "sustained")


def test_open_menu_outlives_a_frame(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.get_by_role("button", name="Hand over", exact=True).click()

    asks_on(peer)

    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)
    expect(page.locator("#menu-hand")).to_be_visible()


def test_listener_follows_to_what_is_asked_now(page: Page, site: Site) -> None:
    peer = open_room(page, site, role="interviewer")

    asks_on(peer)

    expect(page.locator("#dock")).to_have_attribute("data-asked", NEW)
    expect(page.locator(".now__prompt:visible")).to_contain_text("What share of a step")
    page.keyboard.press("a")
    assert peer.wait_for_commands(1)[0]["data"]["asked"] == NEW


def test_note_of_a_question_just_asked_can_be_written_at_once(page: Page, site: Site) -> None:
    stop_clock(page)  # a pause between two letters would keep the first alone
    peer = open_room(page, site, role="interviewer", answers=say_nothing)
    asks_on(peer)
    expect(page.locator("#dock")).to_have_attribute("data-asked", NEW)

    page.keyboard.press("n")
    page.keyboard.type("sad")
    page.keyboard.press("Escape")

    (command,) = peer.wait_for_commands(1)
    assert command["data"] == {"asked": NEW, "text": "sad", "version": 0}


def test_listener_who_types_stays_until_the_field_is_left(page: Page, site: Site) -> None:
    peer = open_room(page, site, role="interviewer")
    page.keyboard.press("n")
    page.keyboard.type("slow")

    asks_on(peer)

    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)
    expect(page.locator("#dock")).to_have_attribute("data-asked", CURRENT)
    page.keyboard.press("Escape")
    expect(page.locator("#dock")).to_have_attribute("data-asked", NEW)


def test_who_types_about_the_whole_interview_is_not_pulled_to_the_first_question(page: Page, site: Site) -> None:
    stop_clock(page)
    nothing_asked = {"trees": [tree("zero", "ZeRO’s three stages", asked=[])], "current": None, "next_for": ""}
    dock = {**room_page.context()["dock"], "askings": []}
    peer = open_room(page, site, role="interviewer", answers=say_nothing, dock=dock, **nothing_asked)
    page.keyboard.press("n")

    asks_on(peer)
    peer.settle()
    page.keyboard.type("sad")
    page.keyboard.press("Escape")

    (command,) = peer.wait_for_commands(1)
    assert (command["name"], command["data"]) == ("note.set", {"text": "sad", "version": 0})
    page.clock.run_for(100)  # the field was left
    expect(page.locator("#dock")).to_have_attribute("data-asked", NEW)


def test_ask_of_the_lead_shows_at_once_without_a_line(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    peer.welcomes = False
    peer.cut()

    page.keyboard.press("y")

    expect(page.locator(".now__prompt:visible")).to_contain_text("What share of a step")
    expect(page.locator("#next-list .next__prompt")).to_have_text("Why a hybrid layout?")
    expect(page.locator("#asked-list [aria-current=step]")).to_have_attribute("data-probe", "zero/share")
    page.keyboard.press("s")
    expect(page.locator("[data-save=outcome]")).to_have_attribute("data-state", "unsent")


def test_ask_of_the_lead_becomes_the_servers_when_its_event_comes(page: Page, site: Site) -> None:
    def answers(peer: Peer, command: dict[str, object]) -> None:
        acknowledge(peer, command)
        if command["name"] == "probe.ask":
            third = {**asking(1, "zero/share", current=True), "id": command["id"], "seq": 4}
            peer.event(
                "panel",
                "probe.ask",
                cause=command["id"],
                html=rail(asked=[asking(0, "zero/split"), asking(1, "zero/cost"), third]),
            )

    peer = open_room(page, site, answers=answers)

    page.keyboard.press("y")

    row = page.locator("#asked-list [aria-current=step]")
    expect(row).to_have_attribute("data-seq", "4")
    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)
    assert row.get_attribute("data-local-asked") is None
    assert peer.named("probe.ask")[0]["id"] == row.get_attribute("data-asked")


def test_undo_takes_an_ask_back_and_gives_a_mark_its_value_before(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("y")
    page.keyboard.press("a")
    peer.wait_for_commands(2)

    page.keyboard.press("q")
    page.keyboard.press("q")

    undone = peer.wait_for_commands(4)[2:]
    asked = peer.named("probe.ask")[0]["id"]
    assert [(one["name"], one["data"]) for one in undone] == [
        ("mark.set", {"asked": asked, "outcome": None, "version": 1}),
        ("probe.retract", {"asked": asked}),
    ]


def test_look_back_shows_the_earlier_question_and_marks_it(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    page.keyboard.press("k")

    expect(page.locator("#look-back")).to_be_visible()
    expect(page.locator(".now__prompt:visible")).to_contain_text("What does each ZeRO stage split?")
    expect(page.get_by_role("button", name="Sustained", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("s")
    assert peer.wait_for_commands(1)[0]["data"] == {"asked": ASKED[0], "outcome": "partial", "version": 2}
    page.keyboard.press("Escape")
    expect(page.locator("#dock")).to_have_attribute("data-asked", CURRENT)


def test_look_on_lights_a_follow_up_and_enter_asks_it(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")

    assert peer.wait_for_commands(1)[0]["data"] == {"probe": "zero/carry"}


def test_gap_in_the_lead_makes_the_new_lead_fetch_controls(page: Page, site: Site) -> None:
    fetched: list[str] = []

    def controls(route: object) -> None:
        fetched.append("controls")
        given = room_page.context("lead")
        route.fulfill(body=draw("interviews/frames/lead_controls.html", given), content_type="text/html")  # type: ignore[attr-defined]

    page.route("**/controls/**", controls)
    peer = open_room(page, site, role="interviewer")
    expect(page.locator("#next-list")).to_have_count(0)
    seats = [
        {**seat, "role": {"lead": "interviewer", "interviewer": "lead"}.get(str(seat["role"]), seat["role"])}
        for seat in room_page.context()["seats"]
    ]

    peer.event("panel", "lead.hand_over", html=frame("presence", seats=seats))

    expect(page.locator("#next-list .next__press")).to_have_count(2)
    assert fetched == ["controls"]
    page.keyboard.press("y")
    assert peer.wait_for_commands(1)[0]["name"] == "probe.ask"


def seats_after_a_hand_over() -> list[dict[str, object]]:
    roles = {"lead": "interviewer", "interviewer": "lead"}
    return [{**seat, "role": roles.get(seat["role"], seat["role"])} for seat in room_page.context()["seats"]]


def after_a_minute(page: Page, peer: Peer) -> None:
    """Put the page's date on, without letting timers run. The page takes that for sleep, and begins its line anew."""
    peer.settle()  # it has seen that the lead is away
    page.clock.set_system_time(datetime.now(UTC) + timedelta(seconds=70))
    peer.until(lambda: len(peer.connections) == 2)
    peer.settle()


@pytest.mark.long
def test_who_handed_the_lead_over_may_take_it_back(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    peer.event("panel", "lead.hand_over", html=frame("presence", seats=seats_after_a_hand_over()))
    peer.send({"type": "presence", "seats": []})
    after_a_minute(page, peer)

    expect(page.locator("#take-lead")).to_be_visible()


@pytest.mark.long
def test_who_took_the_lead_is_not_asked_to_take_it(page: Page, site: Site) -> None:
    peer = open_room(page, site, role="interviewer")
    peer.send({"type": "presence", "seats": []})
    after_a_minute(page, peer)
    expect(page.locator("#take-lead")).to_be_visible()

    peer.event("panel", "lead.take", html=frame("presence", seats=seats_after_a_hand_over()))

    expect(page.locator("#take-lead")).to_be_hidden()


def test_clock_of_a_tree_leaves_pauses_out(page: Page, site: Site) -> None:
    # Asked at 9:10 and 9:16, ended at 9:20: ten minutes, of which 9:12 to 9:14 and 9:15 to 9:17 were no interview.
    pauses = [(12, 14), (15, 17)]
    at = room_page.STARTED
    status = {
        **room_page.context()["status"],
        "status": "ended",
        "ended_at": at.replace(minute=20),
        "paused_seconds": 240,
        "pauses": [{"since": at.replace(minute=since), "until": at.replace(minute=until)} for since, until in pauses],
    }

    open_room(page, site, status=status)

    expect(page.locator("[data-clock=elapsed]")).to_have_text("16:00")
    expect(page.locator("[data-clock=tree][data-tree=zero]")).to_have_text("6:00 / ")
