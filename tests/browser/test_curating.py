"""A tree's whole way by keyboard alone: written from nothing, mended, reviewed, published, pinned, revised; and the
interview that pinned it has not changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from interviews.models import Interview, PinnedTree
from questionbank.models import TreeVersion
from tests.browser.editor_page import go, press_until, ready, saved, say
from tests.cast import Cast, make_cast
from tests.support.by_keyboard import become, press
from tests.support.set_up_pages import make_interview_tomorrow, make_position_and_candidate
from tests.support.web import Web

pytestmark = pytest.mark.browser

ROOT = "How do two clocks differ?"
FOLLOW_UPS = ("Why do they drift?", "What did you measure?", "Which cause did you rule out?")
AIMS = ("why", "hands_on", "depth")


@pytest.fixture
def cast(web: Web) -> Cast:
    return make_cast()


@pytest.mark.long
def test_a_tree_goes_from_nothing_into_an_interview_and_on(
    cast: Cast, web: Web, context: BrowserContext, page: Page
) -> None:
    page.on("dialog", lambda dialog: dialog.accept())

    become(context, web, cast.cora)
    page.goto(f"{web.url}/bank/")
    begin_tree(page)
    write_four_levels(page)
    clear_findings(page)
    send_to_ada(page)
    become(context, web, cast.ada)
    publish(page, web, "v1")

    become(context, web, cast.cora)
    page.goto(f"{web.url}/bank/plans/new/")
    make_plan_of_it(page)
    become(context, web, cast.mara)
    page.goto(f"{web.url}/")
    make_position_and_candidate(page, plan="Clocks only")
    make_interview_tomorrow(page, asks="Clocks")
    interview = Interview.objects.get()
    before = prepared(context, web, cast, page, interview)
    assert [words in before for words in (ROOT, *FOLLOW_UPS)] == [True] * 4

    become(context, web, cast.cora)
    page.goto(f"{web.url}/bank/trees/clocks/")
    revise(page)
    send_to_ada(page)
    become(context, web, cast.ada)
    publish(page, web, "v2")

    assert prepared(context, web, cast, page, interview) == before
    assert PinnedTree.objects.get().version == TreeVersion.objects.get(number=1)
    page.goto(f"{web.url}/bank/trees/clocks/")
    expect(page.get_by_text("And since when?").first).to_be_visible()


def begin_tree(page: Page) -> None:
    press(page, "New tree", "link")
    press_until(page, "Tab", "[name=new_topic]")
    page.keyboard.type("Time")
    press_until(page, "Tab", "[name=title-en]")
    page.keyboard.type("Clocks")
    page.keyboard.press("Enter")
    page.wait_for_url("**/bank/trees/clocks/**")
    if not page.url.endswith("/edit/"):
        press(page, "Edit", "link")
    ready(page)


def write_four_levels(page: Page) -> None:
    """Three follow-ups, each below the last, and in all four probes what a rater listens for and holds on to."""
    page.locator("#row-root").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#f-prompt-en")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type(ROOT)
    fill_below(page, "depth", but=2)
    for words, aim in zip(FOLLOW_UPS, AIMS, strict=True):
        say(page, words)
        saved(page)
        key = str(page.locator("[role=treeitem][aria-selected=true]").get_attribute("data-key"))
        ready(page, key)
        page.keyboard.press("Enter")
        expect(page.locator("#f-prompt-en")).to_be_focused()
        ask_for(page, aim)
        fill_below(page, aim)
    saved(page)
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_attribute("aria-level", "4")


def ask_for(page: Page, aim: str) -> None:
    """Choose this aim alone. The anchors' fields come and go with it."""
    order = ("depth", "why", "hands_on")
    press_until(page, "Tab", f"#f-aim-{aim}")
    if not page.locator(f"#f-aim-{aim}").is_checked():
        page.keyboard.press("Space")
        page.locator(f"#f-anchors-{aim}-0-en").wait_for()
    at = aim
    for other in order:
        if other != aim and page.locator(f"#f-aim-{other}").is_checked():
            press_until(page, "Tab" if order.index(other) > order.index(at) else "Shift+Tab", f"#f-aim-{other}")
            page.keyboard.press("Space")
            page.locator(f"#f-anchors-{other}-0-en").wait_for(state="detached")
            at = other


def fill_below(page: Page, aim: str, *, but: int | None = None) -> None:
    """Signals and anchors, but one, then back to the tree."""
    for kind in ("strong", "recited", "weak"):
        press_until(page, "Tab", f"#f-signals-{kind}-en")
        page.keyboard.type(f"Something {kind}")
    for rating in (rating for rating in range(5) if rating != but):
        press_until(page, "Tab", f"#f-anchors-{aim}-{rating}-en")
        page.keyboard.type(f"Worth {rating}")
    page.keyboard.press("Escape")
    saved(page)


def clear_findings(page: Page) -> None:
    """One that keeps it from being published, an anchor left out; and one that says to look twice."""
    findings = page.locator("#editor-findings")
    expect(findings).to_contain_text("2 findings")
    expect(findings).to_contain_text("Anchors for depth are missing: 2.")
    expect(findings).to_contain_text("takes 12 minutes; the tree has 10.")

    go(page, "root")
    ready(page)
    page.keyboard.press("Enter")
    press_until(page, "Tab", "#f-anchors-depth-2-en")
    page.keyboard.type("Worth 2")
    page.keyboard.press("Escape")
    expect(findings).to_contain_text("1 finding")

    page.locator(".ed__head summary").focus()
    page.keyboard.press("Enter")
    press_until(page, "Tab", "#h-minutes")
    page.keyboard.press("Control+A")
    page.keyboard.type("15")
    page.keyboard.press("Escape")
    expect(findings).to_contain_text("No findings")
    saved(page)


def send_to_ada(page: Page) -> None:
    press(page, "Send for review", "link")
    page.get_by_role("radio", name="Ada").focus()
    page.keyboard.press("Space")
    press(page, "Send")
    expect(page.get_by_text("Ada reviews it. Until then it doesn't change.")).to_be_visible()


def publish(page: Page, web: Web, version: str) -> None:
    page.goto(f"{web.url}/bank/trees/clocks/{version}/")
    press(page, "Review", "link")
    press(page, "Publish")
    page.wait_for_url(f"**/clocks/{version}/")
    expect(page.get_by_role("button", name="New draft")).to_be_visible()


def make_plan_of_it(page: Page) -> None:
    page.get_by_label("Name").focus()
    page.keyboard.type("Clocks only")
    page.get_by_label("One more tree").focus()
    press(page, "Add")
    expect(page.locator("#minutes-clocks")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/bank/plans/clocks-only/")


def prepared(context: BrowserContext, web: Web, cast: Cast, page: Page, interview: Interview) -> str:
    """What the lead reads beforehand: prompts, signals and anchors, folded or not."""
    become(context, web, cast.ana)
    page.goto(f"{web.url}/interviews/{interview.code}/prepare/")
    return "\n".join(page.locator(".prep").all_text_contents())


def revise(page: Page) -> None:
    press(page, "New draft")
    page.wait_for_url("**/v2/**")
    press(page, "Edit", "link")
    ready(page)
    page.locator("#row-root").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#f-prompt-en")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("And since when?")
    page.keyboard.press("Escape")
    saved(page)
