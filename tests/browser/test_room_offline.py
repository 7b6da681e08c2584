"""The room without a line: it opens, goes on, and gives everything back with true times once the server is there."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from interviews.models import Asked, Interview, Mark
from tests.browser.rooms import OpenPage, begin, enter_room, expect_saved
from tests.house.room_cases import Room
from tests.support.factories import Scene
from tests.support.web import Web

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  while (!(await caches.match(location.pathname))) await new Promise((resolve) => setTimeout(resolve, 50));
}"""


def enter_kept(kept_pages: OpenPage, web: Web, scene: Scene) -> Page:
    """Ana's room, live, with a copy of the page on the device and the page's clock in the test's hands."""
    page = enter_room(kept_pages, web, scene.interview, scene.cast.ana)
    page.on("dialog", lambda dialog: dialog.accept())
    begin(page)
    page.evaluate(KEPT)
    return page


def cut(page: Page, web: Web) -> None:
    web.kill()
    expect(page.locator("#line")).not_to_have_attribute("data-state", "live")


def expect_left(page: Page, states: dict[str, str]) -> None:
    """The first question, sustained and clarified, with these save states and one mark that waits."""
    pressed = page.locator("#dock [aria-pressed=true]")
    expect(pressed.filter(has_text="Sustained")).to_have_count(1)
    expect(pressed.filter(has_text="Clarified")).to_have_count(1)
    for part, state in states.items():
        expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", state)
    expect(page.locator("#line-wait")).to_contain_text("1")


def moments(scene: Scene) -> list[datetime]:
    asked = Asked.objects.filter(interview=scene.interview).order_by("seq").values_list("made_at", flat=True)
    return list(asked)


@pytest.mark.long
def test_room_reloaded_without_a_server_shows_own_marks_and_goes_on(
    kept_pages: OpenPage, own_web: Web, scene: Scene
) -> None:
    page = enter_kept(kept_pages, own_web, scene)
    # Long ago, so that ten minutes without a line lie within the interview.
    Room(scene).began_earlier(timedelta(hours=1))
    page.keyboard.press("a")
    page.keyboard.press("x")
    expect_saved(page)
    expect_saved(page, "aid")
    cut(page, own_web)
    page.keyboard.press("1")
    expect(page.locator("[data-save=ratings]")).to_have_attribute("data-state", "unsent")

    page.clock.install()
    page.reload()

    expect_left(page, {"outcome": "saved", "aid": "saved", "ratings": "unsent"})
    page.clock.fast_forward("05:00")
    page.keyboard.press("y")
    page.keyboard.press("s")
    page.clock.fast_forward("05:00")
    page.get_by_role("button", name="Other tree").click()
    page.locator("#dialog-outline .outline__press").last.click()
    page.keyboard.press("f")
    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)
    expect(page.locator("#line-wait")).to_contain_text("5")
    own_web.start()

    expect_saved(page)
    expect(page.locator("#line-wait")).to_be_hidden()
    _first, second, third = moments(scene)
    assert timedelta(minutes=4, seconds=50) < third - second < timedelta(minutes=6)
    marks = Mark.objects.written_by(scene.ana).order_by("asked__seq")
    assert [(one.outcome, one.depth) for one in marks] == [("sustained", 1), ("partial", None), ("not_sustained", None)]
    assert Interview.objects.get(pk=scene.interview.pk).current_id == marks[2].asked_id
