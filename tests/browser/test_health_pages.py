"""Health and suggestions as they are laid out: nothing overflows, ears are served too, a decision needs no mouse."""

from __future__ import annotations

from datetime import date

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from questionbank.enums import Aim, SuggestionKind
from questionbank.models import Suggestion, TreeVersion
from questionbank.services.suggestions import release, suggest
from tests.browser.looks import Look, each_look, faults
from tests.cast import make_cast
from tests.support.factories import make_tree
from tests.support.figures import make_figures
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser

HEALTH = "/bank/trees/data-parallel/health/"


@pytest.fixture
def version(web: Web, context: BrowserContext) -> TreeVersion:
    """A tree with figures and a suggestion; the browser is a curator's."""
    context.add_cookies([{"name": "sessionid", "value": session_of(make_cast().cora), "url": web.url}])
    version = make_tree()
    make_figures(version, "root", asked=40, stopped=9, leak={"own": 20, "follow_ups": 1})
    make_figures(version, "l2", asked=31, stopped=12, difficulty={"depth": [0.4, 0.2]}, agreement={"depth": 0.7})
    make_figures(version, "l2", wording="older", asked=20)
    suggest(version.probes.get(key="l2"), SuggestionKind.FOLLOW_UP, {"en": "And then?"}, aims=[Aim.WHY])
    release(date(2026, 11, 30))
    return version


@each_look
def test_pages_fit_and_pass_axe(web: Web, page: Page, version: TreeVersion, look: Look) -> None:
    page.context.add_cookies([{"name": "django_language", "value": look.language, "url": web.url}])
    paths = (HEALTH, "/bank/health/", "/bank/suggestions/", f"/bank/suggestions/{Suggestion.objects.get().pk}/")
    for path in paths:
        page.goto(web.url + path)
        page.set_viewport_size({"width": 1000, "height": 800})  # where the table of figures becomes a list
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 1000, path
        assert faults(page, look) == [], path


def test_suggestion_is_taken_up_with_the_keyboard(web: Web, page: Page, version: TreeVersion) -> None:
    page.goto(f"{web.url}/bank/suggestions/")
    page.get_by_role("link", name="Decide And then?").press("Enter")
    page.get_by_role("textbox", name="Prompt, English").fill("And what came then?")
    page.get_by_role("checkbox", name="It holds nothing about a person").press("Space")
    page.get_by_role("button", name="Take it up").press("Enter")

    expect(page.get_by_text("It is in version 2 now, a draft.")).to_be_visible()
    expect(page.get_by_text("taken up in other words")).to_be_visible()
