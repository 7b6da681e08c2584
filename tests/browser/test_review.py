"""The way of a version in a browser, by keyboard: drafted, sent, spoken about, published; and a plan put in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from interviews.models import PinnedTree
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.exchange.files import read_paths
from questionbank.models import PlanTree, Probe, Signal, TreeVersion, VersionStatus
from questionbank.services.drafting import new_draft
from questionbank.services.importing import import_readings
from questionbank.services.publishing import send_for_review
from questionbank.services.reviewing import add_comment
from tests.browser.looks import Look, each_look, faults
from tests.cast import Cast, make_cast
from tests.support.by_keyboard import become, press
from tests.support.factories import make_application, make_interview, make_plan, make_position, make_tree
from tests.support.web import Web

pytestmark = pytest.mark.browser

BANK = Path(__file__).resolve().parents[2] / "questionbank" / "bank"
TREE = "/bank/trees/zero-stages/"


@pytest.fixture
def bank(web: Web) -> Cast:
    """The starter tree about ZeRO, published."""
    cast = make_cast()
    import_readings(read_paths([BANK / "zero-stages.yaml"]), publish=True)
    return cast


def say(page: Page, words: str) -> None:
    """Comment on the first probe, in which something changed."""
    root = page.locator(".bank-review").first
    expect(root.locator("ins").first).to_be_visible()
    root.locator("summary", has_text="Comment").focus()
    page.keyboard.press("Enter")
    root.get_by_label("Your comment").focus()
    page.keyboard.type(words)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(root.locator(".bank-comment")).to_contain_text(words)


def revised(cast: Cast) -> TreeVersion:
    """Version 2 of the tree, changed in several ways, with a comment, before Ada for review."""
    version = new_draft(TreeVersion.objects.get().tree, cast.cora)
    root = Probe.objects.get(version=version, parent__isnull=True)
    root.prompt = {tag: words.replace("ZeRO", "ZeRO-3") + " Why?" for tag, words in root.prompt.items()}
    root.minutes = 7
    root.save()
    second = Probe.objects.filter(version=version, level=2).order_by("position")[0]
    Signal.objects.filter(probe=second, kind="strong").update(position=5)
    Probe.objects.filter(pk=second.pk).update(on_outcomes=["partial"], scoring="trial")
    Probe.objects.filter(version=version).order_by("-level", "-position")[0].delete()
    send_for_review(version, reviewer=cast.ada, by=cast.cora)
    add_comment(version, by=cast.ada, text="Two questions in one?", probe_key=root.key)
    return version


def test_a_version_goes_its_way_by_keyboard(bank: Cast, web: Web, context: BrowserContext, page: Page) -> None:
    interview = make_interview(
        make_application(make_position(bank.mara)), lead=bank.ana, versions=[TreeVersion.objects.get()]
    )
    before = queries.whole(TreeVersion.objects.get()).outline
    page.on("dialog", lambda dialog: dialog.accept())

    become(context, web, bank.cora)
    page.goto(web.url + TREE)
    press(page, "New draft")
    page.wait_for_url("**/v2/")
    Probe.objects.filter(version__number=2, parent__isnull=True).update(prompt={"en": "What is cut up?"})
    press(page, "Send for review", "link")
    page.get_by_role("radio", name="Ada").focus()
    page.keyboard.press("Space")
    press(page, "Send")
    expect(page.get_by_text("Ada reviews it. Until then it doesn't change.")).to_be_visible()

    become(context, web, bank.ada)
    page.goto(web.url + TREE)
    press(page, "Review", "link")
    expect(page.locator("#open-comments")).to_have_text("0 open comments")
    say(page, "In Chinese too?")
    expect(page.locator("#open-comments")).to_have_text("1 open comment")
    press(page, "Publish")
    expect(page.locator("#messages")).to_contain_text("1 comment isn't resolved yet.")
    press(page, "Resolve")
    expect(page.locator(".bank-review").first.get_by_text("resolved by Ada")).to_be_visible()
    press(page, "Publish")
    page.wait_for_url("**/v2/")

    assert VersionStatus.objects.get(version__number=2).state == VersionState.PUBLISHED
    pinned = PinnedTree.objects.get(interview=interview).version
    assert (pinned.number, queries.whole(pinned).outline) == (1, before)


@each_look
def test_pages_of_a_version_can_be_read_by_everybody(
    bank: Cast, web: Web, context: BrowserContext, page: Page, look: Look
) -> None:
    version = revised(bank)
    make_plan(version, name="One hour")
    become(context, web, bank.ada, look.language)
    for path in (
        f"{TREE}v2/",
        f"{TREE}v2/review/",
        f"{TREE}v1/retire/",
        f"{TREE}history/",
        f"{TREE}compare/1/2/",
        "/bank/plans/",
        "/bank/plans/new/",
        "/bank/rules/",
    ):
        page.goto(web.url + path)
        assert faults(page, look) == [], path


def test_a_plan_is_put_in_order_by_keyboard_and_by_pointer(
    bank: Cast, web: Web, context: BrowserContext, page: Page
) -> None:
    plan = make_plan(make_tree("alpha"), make_tree("beta"), make_tree("gamma"))
    become(context, web, bank.cora)
    page.goto(f"{web.url}/bank/plans/{plan.key}/edit/")

    press(page, "Move Gamma up")
    expect(page.locator(".plan-row").nth(1)).to_contain_text("Gamma")
    expect(page.get_by_role("button", name="Move Gamma up")).to_be_focused()
    expect(page.locator("#live-polite")).to_have_text("Gamma is number 2 of 3.")
    page.locator("#minutes-alpha").fill("90")
    page.keyboard.press("Tab")
    expect(page.locator("#plan-findings")).to_contain_text("Together 120 minutes.")

    grip, last = page.locator("#row-alpha [data-grip]"), page.locator("#row-beta")
    grip.drag_to(last, target_position={"x": 8, "y": 40})
    page.get_by_label("Name").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/plans/{plan.key}/")

    rows = PlanTree.objects.filter(plan=plan).values_list("tree__key", "minutes")
    assert list(rows) == [("gamma", 15), ("beta", 15), ("alpha", 90)]
