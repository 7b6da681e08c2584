"""The hint in the room: a tinted row among the lead's follow-ups, a line of its own for interviewers, and its key."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.room_peer import Peer, open_room
from tests.support import room_page

pytestmark = pytest.mark.browser

ADDRESS = "/interviews/hint/"
WHY = "You have level 2 sustained and nothing at level 3."


def fragment(probe: str, *, lead: bool = True, **more: Any) -> str:
    """The server's answer: this probe is worth asking."""
    one = room_page.BY_ID[probe]
    hint = {
        "probe": probe,
        "follow": one["follow"],
        "tree_title": one["tree_title"],
        "tree_lang": "en",
        "elsewhere": False,
        "because": "go_up",
        "level": 3,
        "floor": 2,
        "aims": ["hands_on"],
        "minutes": 3,
        "left": 5,
        "fits": True,
    }
    given = {"hint": hint | more, "may_lead": lead, "at": room_page.NOW}
    return room_page.draw("interviews/room/hint.html", given)


def open_hinted(page: Page, site: Site, role: str = "lead", probe: str = "zero/share") -> Peer:
    site.put(ADDRESS, fragment(probe, lead=role == "lead"))
    room = {**room_page.context(role)["room"], "hint": ADDRESS}
    return open_room(page, site, role=role, room=room)


def rows(page: Page) -> list[tuple[str, str, bool]]:
    """The follow-ups: key, probe, whether it is the hint."""
    return [
        (
            one.locator("kbd").first.inner_text(),
            one.locator(".next__press").get_attribute("data-probe") or "",
            one.get_attribute("data-local-hinted") is not None,
        )
        for one in page.locator("#next-list .next__one").all()
    ]


def test_the_hint_is_a_row_among_the_leads_follow_ups(page: Page, site: Site) -> None:
    peer = open_hinted(page, site)
    tinted = page.locator("#next-list [data-local-hinted]")

    expect(tinted.locator(".next__why")).to_contain_text(WHY)
    assert rows(page) == [("Y", "zero/share", True), ("U", "zero/carry", False)]
    expect(page.locator("#hint")).to_be_hidden()
    expect(tinted.locator(".next__asof")).to_be_hidden()

    # H lights it and says why; nothing is asked by that. Enter asks.
    page.keyboard.press("h")
    expect(tinted.locator(".next__press")).to_have_attribute("data-local-looked", "")
    expect(page.locator("#live-polite")).to_contain_text(WHY)
    assert peer.named("probe.ask") == []

    # One's own marks make another one: here a probe that is no follow-up, which comes last and takes the next key.
    site.put(ADDRESS, fragment("zero/hybrid", because="unclear"))
    page.keyboard.press("a")
    expect(tinted.locator(".next__why")).to_contain_text("Level 3 is still unclear.")
    assert rows(page) == [("Y", "zero/share", False), ("U", "zero/carry", False), ("I", "zero/hybrid", True)]

    # Ratings change no boundary, so they ask for nothing new.
    site.put(ADDRESS, fragment("zero/share"))
    page.keyboard.press("3")
    page.locator("[data-save=ratings][data-state=saved]").wait_for()
    page.keyboard.press("h")
    page.keyboard.press("Enter")
    peer.until(lambda: len(peer.named("probe.ask")) == 1)
    assert peer.named("probe.ask")[0]["data"] == {"probe": "zero/hybrid"}
    # Asked, it is no hint any more, and its own row is gone.
    expect(page.locator("#next-list [data-local-hinted]")).to_have_count(0)


def test_without_a_line_the_hint_stays_and_says_as_of_when(page: Page, site: Site) -> None:
    peer = open_hinted(page, site)
    expect(page.locator("#next-list [data-local-hinted]")).to_have_count(1)

    peer.welcomes = False
    page.route("**/hint/", lambda route: route.abort())
    peer.cut()

    asof = page.locator("#next-list .next__asof")
    expect(asof).to_be_visible()
    expect(asof).to_contain_text("as of 09:24")


def test_an_interviewer_reads_it_as_worth_asking(page: Page, site: Site) -> None:
    peer = open_hinted(page, site, role="interviewer")
    hint = page.locator("#hint")

    expect(hint).to_be_visible()
    expect(hint).to_have_attribute("data-probe", "zero/share")
    expect(hint).to_contain_text("Worth asking")
    expect(hint).to_contain_text(WHY)
    page.keyboard.press("h")
    expect(page.locator("#live-polite")).to_contain_text(WHY)
    page.get_by_role("button", name="I would ask this").click()
    peer.until(lambda: len(peer.named("hand.raise")) == 1)
    assert peer.named("hand.raise")[0]["data"] == {"probe": "zero/share"}


def test_hints_can_be_switched_off_and_stay_so(page: Page, site: Site) -> None:
    open_hinted(page, site)
    expect(page.locator("#next-list [data-local-hinted]")).to_have_count(1)
    switch = page.get_by_role("button", name="Hints", exact=True)

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#next-list [data-local-hinted]")).to_have_count(0)
    page.reload()
    page.locator("#line[data-state=live]").wait_for()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#next-list [data-local-hinted]")).to_have_count(0)

    switch.click()
    expect(page.locator("#next-list [data-local-hinted]")).to_have_count(1)


@pytest.mark.parametrize("role", ["shadow", "observer"])
def test_who_gets_no_hints_asks_for_none(page: Page, site: Site, role: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_room(page, site, role=role)

    expect(page.locator("#hint")).to_have_count(0)
    assert [url for url in asked if "hint" in url and "hint.js" not in url] == []
