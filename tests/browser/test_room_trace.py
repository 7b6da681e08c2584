"""In debug a page traces each command from the press to the paint; else it doesn't even fetch the script for it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page

from tests.browser.conftest import Site
from tests.browser.room_peer import open_room
from tests.support import room_page

pytestmark = pytest.mark.browser

MEASURES = (
    """() => performance.getEntriesByType("measure").map((one) => [one.name, one.detail.id, one.duration >= 0])"""
)


def test_trace_has_every_step_under_the_id_that_the_server_logs(page: Page, site: Site) -> None:
    told: list[ConsoleMessage] = []
    page.on("console", lambda message: told.append(message))
    given = room_page.context("lead")
    peer = open_room(page, site, room={**given["room"], "trace": True})

    page.keyboard.press("a")
    peer.until(lambda: any(message.text.startswith("sounding") for message in told))

    (command,) = peer.commands
    measures: list[Any] = page.evaluate(MEASURES)
    assert measures == [
        [f"sounding mark.set {step}", command["id"], True] for step in ("kept", "sent", "acked", "painted")
    ]
    said = next(message for message in told if message.text.startswith("sounding")).args[1].json_value()
    assert (said["command"], said["id"], said["stream"]) == ("mark.set", command["id"], "mine")
    assert 0 == said["press"] <= said["sent"] <= said["acked"] <= said["painted"]


def test_traced_command_that_is_too_long_is_not_taken(page: Page, site: Site) -> None:
    open_room(page, site)

    taken = page.evaluate(
        """async () => {
          const { Outbox } = await import("/static/js/room/outbox.js");
          const { trace } = await import("/static/js/room/trace.js");
          const nothing = () => {};
          const given = { send: nothing, changed: nothing, acked: nothing, unfit: nothing, unstored: nothing };
          const outbox = new Outbox(given);
          trace(outbox, { room: "R" });
          return outbox.put([{ id: "a", name: "chat.post", data: { text: "a".repeat(20001) } }]);
        }"""
    )

    assert taken is None


def test_without_debug_nothing_is_traced_and_no_script_fetched(page: Page, site: Site) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    peer = open_room(page, site)

    page.keyboard.press("a")
    peer.wait_for_commands(1)

    assert page.evaluate(MEASURES) == []
    assert [url for url in requests if "trace" in url] == []
