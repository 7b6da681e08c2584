"""The bank as it is laid out: levels are columns or indents, nothing overflows, ears are served too."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from questionbank.exchange.files import read_paths
from questionbank.services.importing import import_readings
from tests.browser.looks import LOOKS, faults
from tests.cast import make_cast
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser

BANK = Path(__file__).resolve().parents[2] / "questionbank" / "bank"
LIST = "/bank/"
TREE = "/bank/trees/evaluation-design/"
PROBE = "/bank/trees/evaluation-design/probes/eval-gold/"
PAGES = (LIST, TREE, PROBE)

CARDS = """() => [...document.querySelectorAll('.bank-card')].map(card => ({
  level: Number(card.querySelector('.bank-card__level').textContent),
  x: Math.round(card.getBoundingClientRect().x),
  width: Math.round(card.getBoundingClientRect().width),
}))"""
COLUMNS = (
    "() => [...document.querySelectorAll('.bank-tree__levels span')].map(e => Math.round(e.getBoundingClientRect().x))"
)
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.bank-card')].map(card => card.getBoundingClientRect());
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
}"""


@pytest.fixture(params=[look.language for look in LOOKS])
def reader(request: pytest.FixtureRequest, web: Web, context: BrowserContext) -> str:
    """The address of a server; the browser is an interviewer's, in one language."""
    context.add_cookies(
        [
            {"name": "sessionid", "value": session_of(make_cast().ana), "url": web.url},
            {"name": "django_language", "value": request.param, "url": web.url},
        ]
    )
    return web.url


@pytest.fixture
def bank(reader: str) -> str:
    """With the whole starter bank."""
    import_readings(read_paths([BANK]), publish=True)
    return reader


@pytest.fixture
def tree(reader: str) -> str:
    """With one tree of it."""
    import_readings(read_paths([BANK / "evaluation-design.yaml"]), publish=True)
    return reader


def test_bank_pages_fit_and_pass_axe(bank: str, page: Page, request: pytest.FixtureRequest) -> None:
    look = next(look for look in LOOKS if look.language == request.node.callspec.params["reader"])
    for path in PAGES:
        page.goto(bank + path)
        assert faults(page, look) == [], path


def test_levels_are_columns_on_a_wide_page(tree: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(tree + TREE)

    columns = page.evaluate(COLUMNS)
    cards = page.evaluate(CARDS)

    assert len(columns) == 5
    assert len(cards) == 17
    assert [card["x"] for card in cards] == [columns[card["level"] - 1] for card in cards]
    assert len({card["width"] for card in cards}) == 1
    assert page.evaluate(OVERLAPS) == 0


def test_levels_are_indents_on_a_narrow_page(tree: str, page: Page) -> None:
    page.set_viewport_size({"width": 420, "height": 800})
    page.goto(tree + TREE)

    cards = page.evaluate(CARDS)

    starts = {level: {card["x"] for card in cards if card["level"] == level} for level in range(1, 6)}
    assert all(len(found) == 1 for found in starts.values())
    assert [min(starts[level]) - min(starts[1]) for level in range(1, 6)] == [0, 14, 28, 42, 56]
    assert page.evaluate(OVERLAPS) == 0


def test_card_is_opened_by_keyboard(tree: str, page: Page) -> None:
    page.goto(tree + TREE)

    page.locator(".bank-tree").focus()
    page.keyboard.press("Tab")

    href = page.evaluate("() => document.activeElement.getAttribute('href')")
    assert href == f"{TREE}probes/eval-good/"
