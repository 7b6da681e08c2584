"""The tree editor's page in a browser: opened as a curator, driven by keys, compared with what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from questionbank import queries
from questionbank.models import TreeVersion
from questionbank.outline import walk
from tests.cast import Cast, make_cast
from tests.support.drafts import make_draft
from tests.support.web import Web, session_of

EDIT = "/bank/trees/clocks/v1/edit/"


@pytest.fixture
def curators(web: Web) -> Cast:
    return make_cast()


@pytest.fixture
def clocks(web: Web) -> TreeVersion:
    return make_draft()


def sign_in(context: BrowserContext, web: Web, cast: Cast, name: str = "cora", language: str = "en") -> None:
    context.add_cookies(
        [
            {"name": "sessionid", "value": session_of(getattr(cast, name)), "url": web.url},
            {"name": "django_language", "value": language, "url": web.url},
        ]
    )


@pytest.fixture
def editor(web: Web, curators: Cast, clocks: TreeVersion, context: BrowserContext) -> Iterator[Page]:
    """The editor's page, as the curator. It fails its test when its script throws or its policy is broken; that an edit
    was refused, which Chromium writes down as an error too, is what some of these tests are about."""
    sign_in(context, web, curators)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(web.url + EDIT)
    ready(page)
    yield page
    page.close()
    assert [fault for fault in faults if "status of 4" not in fault] == []


def ready(page: Page, key: str = "root") -> None:
    page.locator(f"#probe-form[data-probe='{key}']").wait_for()


def saved(page: Page) -> None:
    page.locator("#draft-state [data-save][data-state=saved]").wait_for()


def shape() -> list[tuple[int, str]]:
    return [(one.level, one.probe.key) for one in walk(queries.tree_version("clocks", 1).outline)]


def stored(key: str) -> Any:
    return next(one for one in queries.tree_version("clocks", 1).outline.probes if one.key == key)


def current(page: Page) -> str:
    return str(page.locator("[role=treeitem][aria-selected=true]").get_attribute("data-key"))


def rows(page: Page) -> list[str]:
    return page.locator("[role=treeitem]").evaluate_all("rows => rows.map(row => row.dataset.key)")


def go(page: Page, key: str) -> None:
    page.locator(f"#row-{key}").focus()
    page.keyboard.press("End")  # what has focus is what keys act on, whatever was chosen before
    page.keyboard.press("Home")
    while current(page) != key:
        page.keyboard.press("ArrowDown")


def say(page: Page, words: str, *, key: str = "a") -> None:
    """Add a probe by keyboard: the key that opens the dialog, the words, Enter."""
    page.keyboard.press(key)
    page.locator("#add-dialog[open]").wait_for()
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.locator("#add-dialog:not([open])").wait_for(state="attached")
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_contain_text(words)
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_be_focused()


def press_until(page: Page, key: str, selector: str) -> None:
    page.locator(selector).first.wait_for(state="attached")  # a new page, or a field that an answer brings
    for _press in range(60):
        page.keyboard.press(key)
        if page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"{key} never reached {selector}")
