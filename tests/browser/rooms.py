"""Rooms of a real server in a browser: opening them, and the first steps of an interview."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page, expect

from interviews.models import Interview
from people.models import Person
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.servers import process_environment
from tests.support.web import Web, running_web, session_of

OpenPage = Callable[[str, str, str], Page]
OpenRoom = Callable[[Person], Page]
ServiceWorkers = Literal["allow", "block"]
# Chromium has many names for a line that was cut, and another word for an answer with a wrong status.
FAULTS_OF_A_CUT = (
    "WebSocket connection",
    "net::ERR_CONNECTION_",
    "net::ERR_SOCKET_",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_NETWORK_CHANGED",
    "net::ERR_INCOMPLETE_CHUNKED",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
)


@contextmanager
def browsers(browser: Browser, *, workers: ServiceWorkers = "block") -> Iterator[OpenPage]:
    """Open pages, each in a browser of its own with a session; fail when a script throws or a policy is broken.

    A test that goes on without a line allows service workers; the others are quicker without.
    """
    opened: list[Page] = []
    faults: list[str] = []

    def open_page(address: str, path: str, session: str) -> Page:
        context = browser.new_context(
            viewport={"width": 1280, "height": 720}, locale="en-GB", timezone_id="UTC", service_workers=workers
        )
        context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.goto(address + path)
        opened.append(page)
        return page

    yield open_page
    for page in opened:
        page.context.close()
    real = [fault for fault in faults if not any(word in fault for word in FAULTS_OF_A_CUT)]
    assert real == [], real


def enter_room(pages: OpenPage, web: Web, interview: Interview, person: Person) -> Page:
    page = pages(web.url, f"/interviews/{interview.code}/room/", session_of(person))
    page.locator("#line[data-state=live]").wait_for()
    return page


def expect_saved(page: Page, part: str = "outcome") -> None:
    expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", "saved")


def begin(lead: Page) -> None:
    """Start the interview and ask the first root."""
    lead.get_by_role("button", name="Start", exact=True).click()
    expect(lead.locator("#room-status")).to_have_attribute("data-status", "live")
    lead.keyboard.press("y")
    expect(lead.locator("#asked-list [aria-current=step]")).not_to_have_attribute("data-seq", "")


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast)


@pytest.fixture
def pages(browser: Browser, web: Web) -> Iterator[OpenPage]:
    """Pages of the shared web process; closed before it is asked whether every socket was taken leave of."""
    with browsers(browser) as open_page:
        yield open_page


@pytest.fixture
def enter(pages: OpenPage, scene: Scene, web: Web) -> OpenRoom:
    """Open the scene's room as somebody."""
    return lambda person: enter_room(pages, web, scene.interview, person)


@pytest.fixture
def own_web(transactional_db: None) -> Iterator[Web]:
    """A process that the test may kill."""
    with running_web(process_environment(connection.settings_dict["NAME"])) as web:
        yield web


@pytest.fixture
def kept_pages(browser: Browser, own_web: Web) -> Iterator[OpenPage]:
    """Pages of that process, with what a device keeps for when it is gone."""
    with browsers(browser, workers="allow") as open_page:
        yield open_page
