"""The outbox without a server: devices of one seat at random, tabs of one browser, a machine that slept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.room_peer import Peer, acknowledge, open_room, say_nothing
from tests.support.room_page import ASKED

pytestmark = pytest.mark.browser

CURRENT = ASKED[1]
STORY = (Path(__file__).parent / "outbox_story.js").read_text(encoding="utf-8")


def tell(page: Page, site: Site, *, devices: int, seeds: Iterable[int]) -> dict[int, list[str]]:
    page.goto(site.put("/empty", "<!doctype html><title>devices</title>"))
    told = {seed: page.evaluate(STORY, [devices, seed, 120]) for seed in seeds}
    return {seed: faults for seed, faults in told.items() if faults}


def test_one_device_never_conflicts_with_its_own_queue(page: Page, site: Site) -> None:
    assert tell(page, site, devices=1, seeds=range(40)) == {}


def test_two_devices_conflict_with_each_other_only_and_agree_in_the_end(page: Page, site: Site) -> None:
    assert tell(page, site, devices=2, seeds=range(60)) == {}


def test_conflict_is_settled_with_the_newest_that_was_heard(page: Page, site: Site) -> None:
    """Between a refusal and the choice more is heard of the item, or written to it: the refusal's word is then old."""
    assert tell(page, site, devices=2, seeds=(1047, 1082, 1277, 1343, 1395)) == {}


@pytest.mark.slow
def test_devices_agree_in_the_end_whatever_happens(page: Page, site: Site) -> None:
    for devices in (1, 2, 3):
        assert tell(page, site, devices=devices, seeds=range(1000, 1400)) == {}


# --- tabs of one browser ---------------------------------------------------------------------------------------------


def second_tab(page: Page) -> tuple[Page, Peer]:
    other = page.context.new_page()
    peer = Peer(other, say_nothing)
    other.goto(page.url)
    other.locator("#line[data-state=live]").wait_for()
    return other, peer


def state_of(page: Page, part: str) -> str | None:
    return page.locator(f"[data-save={part}]").get_attribute("data-state")


def test_two_tabs_show_the_same_states_and_only_one_sends(page: Page, site: Site) -> None:
    first = open_room(page, site, answers=say_nothing)
    other, second = second_tab(page)

    other.keyboard.press("a")

    first.wait_for_commands(1)
    for one in (page, other):
        expect(one.locator("[data-save=outcome]")).to_have_attribute("data-state", "sent")
        expect(one.locator("#dock [aria-pressed=true]").filter(has_text="Sustained")).to_have_count(1)
    acknowledge(first, first.commands[0])
    for one in (page, other):
        expect(one.locator("[data-save=outcome]")).to_have_attribute("data-state", "saved")

    # Neither has heard the event yet: the next write counts the acknowledged one all the same.
    other.keyboard.press("x")
    assert first.wait_for_commands(2)[1]["data"]["version"] == 1
    assert second.commands == []
    other.close()


def test_text_of_one_tab_is_not_undone_by_leaving_the_other(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    other, _second = second_tab(page)
    other.locator(f"#my-note-{CURRENT} textarea").focus()

    page.keyboard.press("n")
    page.keyboard.insert_text("Said in the first tab")
    page.keyboard.press("Escape")
    peer.wait_for_commands(1)
    expect(other.locator(f"#my-note-{CURRENT} textarea")).to_have_value("Said in the first tab")
    other.locator(f"#my-note-{CURRENT} textarea").blur()
    other.close(run_before_unload=True)

    expect(page.locator("[data-save=note]")).to_have_attribute("data-state", "saved")
    assert len(peer.commands) == 1


def test_tab_whose_line_is_closed_for_good_lets_another_send(page: Page, site: Site) -> None:
    first = open_room(page, site)
    other, second = second_tab(page)
    second.answers = acknowledge

    first.cut(4400)
    expect(page.locator("#line")).to_have_attribute("data-state", "closed")
    other.keyboard.press("a")

    second.wait_for_commands(1)
    expect(other.locator("[data-save=outcome]")).to_have_attribute("data-state", "saved")
    other.close()


# --- a machine that slept --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ahead", "said", "age"),
    [
        pytest.param(600_000, "2026-03-12T09:34:20Z", (595_000, 640_000), id="slept"),
        pytest.param(3_600_000, "2026-03-12T09:24:22Z", (0, 30_000), id="date was set"),
    ],
)
def test_age_follows_the_server_when_the_date_jumps(
    page: Page, site: Site, ahead: int, said: str, age: tuple[int, int]
) -> None:
    """The steady clock stands still in sleep. Only the server can tell it from a date that somebody set."""
    page.add_init_script("const real = Date.now; window.ahead = 0; Date.now = () => real() + window.ahead;")
    peer = open_room(page, site, answers=say_nothing)
    peer.say_time("2026-03-12T09:24:20Z")
    peer.away = True
    peer.cut()
    page.keyboard.press("a")
    expect(page.locator("[data-save=outcome]")).to_have_attribute("data-state", "unsent")

    page.evaluate("ahead => { window.ahead = ahead; }", ahead)
    peer.away, peer.now = False, said

    (command,) = peer.wait_for_commands(1)
    least, most = age
    assert least <= command["age"] < most
