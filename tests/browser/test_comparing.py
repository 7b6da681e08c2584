"""Candidates side by side without a mouse: from row to row, against another one, in another order."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from interviews.models import Application
from tests.browser.looks import SCHEMES, axe_faults, show_in
from tests.cast import make_cast
from tests.support.by_keyboard import become
from tests.support.compared import calibrate, copy_card
from tests.support.factories import Scene, make_interview
from tests.support.panel_page import hand_in_all, make_judged_scene
from tests.support.web import Web

pytestmark = pytest.mark.browser


@pytest.fixture
def scene(web: Web) -> Scene:
    return hand_in_all(make_judged_scene(make_cast()))


@pytest.fixture
def three(scene: Scene) -> list[Application]:
    """Kim, and two others with an interval; the first of the three is measured against."""
    others = copy_card(scene.application, scene.position, 2, name="Other")
    calibrate(scene.application, depth=(3.0, 2.5, 3.4))
    calibrate(others[0], depth=(1.9, 1.4, 2.4))
    calibrate(others[1], depth=(2.7, 2.2, 3.1))
    return [scene.application, *others]


def show(page: Page, web: Web, scene: Scene) -> None:
    become(page.context, web, scene.cast.mara)
    page.goto(f"{web.url}/positions/{scene.position.code}/compare/")
    expect(page.get_by_role("toolbar", name="Rows")).to_be_visible()


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def test_keys_go_from_row_to_row_measure_and_order(
    page: Page, web: Web, scene: Scene, three: list[Application]
) -> None:
    show(page, web, scene)
    walk(page)

    page.keyboard.press("r")
    expect(page.locator("#say")).to_contain_text("Overlaps Other 1: Other 2. Above: Kim Lindqvist.")
    expect(page).to_have_url(re.compile(f"against={three[1].code}#c-{three[1].code}$"))
    expect(page.get_by_role("toolbar", name="Rows")).to_be_visible()  # drawn anew, and its script is there
    expect(row(page, "Other 1")).to_be_focused()

    page.keyboard.press("o")
    expect(page.get_by_role("dialog", name="Order").get_by_role("link")).to_have_count(6)
    expect(page.get_by_role("link", name="In order of application")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Depth")).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_role("toolbar", name="Rows")).to_be_visible()
    page.keyboard.press("j")
    expect(row(page, "Kim Lindqvist")).to_be_focused()
    page.keyboard.press("j")
    expect(row(page, "Other 2")).to_be_focused()

    page.keyboard.press("?")
    expect(page.locator("key-legend")).to_contain_text("Next candidate")
    expect(page.locator("key-legend")).to_contain_text("Measure against this one")
    for scheme in SCHEMES:
        show_in(page, scheme)
        assert axe_faults(page) == [], scheme


def walk(page: Page) -> None:
    """On to the last row and one back: the focus is seen, and the dimensions are heard."""
    spoken, measure = page.locator("#live-polite"), page.get_by_role("button", name="Measure against this one")
    expect(measure).to_be_disabled()
    page.keyboard.press("j")
    expect(row(page, "Kim Lindqvist")).to_be_focused()
    expect(spoken).to_have_text(re.compile(r"^Depth 3\.0 \(2\.5 to 3\.4\).*\. Why .*\. Hands-on "))
    expect(measure).to_be_disabled()  # the others are measured against this one already
    page.keyboard.press("j")
    expect(row(page, "Other 1")).to_be_focused()
    expect(page.locator("tr[aria-current]")).to_contain_text("Other 1")
    expect(spoken).to_contain_text("Depth 1.9 (1.4 to 2.4) raw 2.4 below")
    page.keyboard.press("j")
    page.keyboard.press("j")  # there is no further one
    expect(row(page, "Other 2")).to_be_focused()
    expect(row(page, "Other 2")).to_have_css("outline-style", "solid")
    expect(row(page, "Other 1")).to_have_css("outline-style", "none")
    page.keyboard.press("k")
    expect(row(page, "Other 1")).to_be_focused()
    look(page)


def test_with_somebody_sealed_the_row_says_so_and_nothing_orders(
    page: Page, web: Web, scene: Scene, three: list[Application]
) -> None:
    make_interview(three[2], lead=scene.cast.ana)  # still to come
    show(page, web, scene)

    page.keyboard.press("o")
    expect(page.locator("#live-polite")).to_have_text("Not now")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for name in ("Kim Lindqvist", "Other 1", "Other 2"):
        page.keyboard.press("j")
        expect(row(page, name)).to_be_focused()
    expect(page.locator("#live-polite")).to_contain_text("sealed")
    page.keyboard.press("r")
    expect(page.locator("#live-polite")).to_have_text("Not now")


def look(page: Page) -> None:
    folder = os.environ.get("LOOKS")
    for scheme in SCHEMES if folder else ():
        show_in(page, scheme)
        for width in (1280, 420):
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=f"{folder}/comparing-{scheme}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 720})
