"""A browser that is killed as by a crash, with marks that nobody has yet, on a machine whose clock is an hour off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import psutil
import pytest
from django.db import connection, connections
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from interviews.models import Command, Event, Mark, Note
from tests.browser.conftest import started_browser
from tests.browser.test_room_live import begin, browsers, enter_room, expect_saved
from tests.support.chromium import CHROMIUM_ARGS
from tests.support.chromium import path as where_chromium_is
from tests.support.factories import Scene
from tests.support.servers import process_environment
from tests.support.web import Web, running_web, session_of

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

HOUR = 3_600_000
WRONG_CLOCK = """(off) => {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length ? super(...given) : super(Real.now() + off); }
    static now() { return Real.now() + off; }
  };
}"""


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser for one test: the loop of one that stays would be in the way of the other tests of faults."""
    with started_browser() as browser:
        yield browser
        connections.close_all()  # what was opened while its loop ran belongs to it, and nobody else would close it


@contextmanager
def profile(browser: Browser, folder: Path, web: Web, session: str, *, off: int) -> Iterator[BrowserContext]:
    """A browser of its own whose profile outlives it, with a clock that is wrong by `off` milliseconds."""
    context = browser.browser_type.launch_persistent_context(
        folder, executable_path=where_chromium_is(), args=CHROMIUM_ARGS, viewport={"width": 1280, "height": 720}
    )
    context.add_init_script(f"({WRONG_CLOCK})({off})")
    context.add_cookies([{"name": "sessionid", "value": session, "url": web.url}])
    yield context
    with suppress(Error):  # it may be dead
        context.close()


def open_room(context: BrowserContext, web: Web, scene: Scene) -> Page:
    page = context.pages[0]
    page.goto(f"{web.url}/interviews/{scene.interview.code}/room/")
    page.locator("#line[data-state=live]").wait_for()
    return page


def kill(folder: Path) -> None:
    """End every process of the browser that works on this profile, at once."""
    found = [
        one for one in psutil.process_iter(["cmdline"]) if f"--user-data-dir={folder}" in (one.info["cmdline"] or [])
    ]
    assert found
    for process in found:
        with suppress(psutil.NoSuchProcess):  # gone with the first one
            process.kill()
    psutil.wait_procs(found, timeout=20)


@pytest.mark.long
@pytest.mark.parametrize(
    "off",
    [pytest.param(HOUR, id="an-hour-fast"), pytest.param(-HOUR, id="an-hour-slow", marks=pytest.mark.slow)],
)
def test_a_killed_browser_sends_what_it_kept_once_and_with_true_times(
    browser: Browser, scene: Scene, tmp_path: Path, off: int
) -> None:
    folder, bo = tmp_path / "profile", session_of(scene.cast.bo)
    with running_web(process_environment(connection.settings_dict["NAME"])) as web, browsers(browser) as pages:
        lead = enter_room(pages, web, scene.interview, scene.cast.ana)
        begin(lead)
        with profile(browser, folder, web, bo, off=off) as context:
            acted = mark_without_a_server(open_room(context, web, scene), web)
            kill(folder)
        web.start()
        with profile(browser, folder, web, bo, off=off) as context:
            came_back = timezone.now()
            page = open_room(context, web, scene)
            for part in ("outcome", "aid", "ratings", "note"):
                expect_saved(page, part)
            expect(lead.locator("#line")).to_have_attribute("data-state", "live")
            lead.get_by_role("button", name="End", exact=True).click()
            lead.get_by_role("button", name="End the interview").click()
            expect(page.locator("#room-alert")).to_contain_text("nothing lost")

    check_kept(scene, acted, came_back)


def mark_without_a_server(page: Page, web: Web) -> datetime:
    """Mark, lose the server, and go on; return when the last rating was given, by the right clock."""
    page.keyboard.press("a")
    expect_saved(page)
    web.kill()
    expect(page.locator("#line")).not_to_have_attribute("data-state", "live")
    page.keyboard.press("z")
    page.keyboard.press("3")
    acted = timezone.now()
    page.keyboard.press("n")
    page.keyboard.type("Said before the crash")
    page.keyboard.press("Escape")
    for part in ("aid", "ratings", "note"):
        expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", "unsent")
    return acted


def check_kept(scene: Scene, acted: datetime, came_back: datetime) -> None:
    mark = Mark.objects.written_by(scene.bo).get()
    assert (mark.outcome, mark.aid, mark.depth, mark.version) == ("sustained", "unaided", 3, 3)
    assert abs(mark.made_at - acted) < timedelta(seconds=5), "made when it was made, not an hour off"
    assert mark.made_at < came_back
    assert Note.objects.written_by(scene.bo).get().text.body == "Said before the crash"
    # Each once.
    commands = list(Command.objects.filter(seat=scene.bo).values_list("command", flat=True))
    causes = list(Event.objects.filter(seat=scene.bo, cause__isnull=False).values_list("cause", flat=True))
    assert len(set(commands)) == len(commands) == len(causes)
    assert set(causes) == set(commands)
