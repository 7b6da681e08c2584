"""From the room to a decision: a panel marks and submits, a manager compares, holds the debrief, decides, downloads.

Real pages and a real worker throughout; only the interview's making and the two others compared with come from tests.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from interviews.models import Application, Interview, Seat
from scoring.models import Debrief, DebriefDecision, PanelScorecard
from tests.browser.rooms import OpenPage, begin, browsers, enter_room
from tests.browser.steps import end_interview, hand_in, mark
from tests.cast import Cast
from tests.support.compared import calibrate, copy_card
from tests.support.factories import make_application, make_interview, make_plan, make_position, make_tree, seats_of
from tests.support.web import Web, session_of
from tests.support.worker import until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SAID = {
    "ana": "Finds the slow link by halving.",
    "bo": "Recites the three stages.",
    "dee": "Listened, and guessed.",
}


@pytest.fixture
def open_page(browser: Browser, whole_site: Web) -> Iterator[OpenPage]:
    with browsers(browser) as open_page:
        yield open_page


@pytest.fixture
def interview(whole_site: Web, cast: Cast) -> Interview:
    version = make_tree("zero-stages")
    application = make_application(make_position(cast.mara, plan=make_plan(version)))
    people = {"lead": cast.ana, "interviewers": [cast.bo], "shadows": [cast.dee]}
    return make_interview(application, versions=[version], **people)


@pytest.mark.long
def test_a_panel_judges_sealed_and_a_manager_compares_debriefs_and_decides(
    open_page: OpenPage, whole_site: Web, interview: Interview, cast: Cast
) -> None:
    application = interview.application
    ana, bo, dee = (enter_room(open_page, whole_site, interview, one) for one in (cast.ana, cast.bo, cast.dee))
    hold(ana, bo, dee)
    mara = open_page(whole_site.url, "/", session_of(cast.mara))
    submit_in_turn(ana, bo, dee, mara, Panel(interview))

    compiled = panel_of(application)
    read_panel(mara)
    compare_three(mara, application)
    hold_debrief(open_page, whole_site, mara, cast)

    text = download(mara, application)
    assert "Panel scorecard: Kim Lindqvist" in text
    assert "Depth: raw 2.00 (Ana 2.5, Bo 1.5)." in text
    assert SAID["ana"] in text
    assert SAID["bo"] in text
    assert "Dee" not in text
    assert SAID["dee"] not in text
    assert panel_of(application).number == compiled.number  # nothing of all that asked for another one


# --- the room ---------------------------------------------------------------------------------------------------------


def hold(ana: Page, bo: Page, dee: Page) -> None:
    """Two questions, marked by all three, each alone; Ana ends the interview."""
    begin(ana)
    for page, keys in ((ana, "az3"), (bo, "sx2"), (dee, "gz4")):
        mark(page, *keys)
    first = ana.locator("#dock").get_attribute("data-asked") or ""
    ana.keyboard.press("y")
    for page, keys in ((ana, "sz2"), (bo, "fz1"), (dee, "az4")):
        expect(page.locator("#dock")).not_to_have_attribute("data-asked", first)
        mark(page, *keys)
    end_interview(ana, (ana, bo, dee))


# --- the cards --------------------------------------------------------------------------------------------------------


class Panel:
    """Where the cards of an interview and the pages of its application are."""

    def __init__(self, interview: Interview) -> None:
        self.seats: dict[str, Seat] = {seat.person.name.lower(): seat for seat in seats_of(interview) if seat.person}
        self.application = f"/applications/{interview.application.code}"

    def card(self, who: str) -> str:
        return f"/cards/{self.seats[who].code}/"


def origin(page: Page) -> str:
    return "/".join(page.url.split("/")[:3])


def refused(page: Page, path: str) -> bool:
    """Whether the page's person is kept out, in words that tell nothing; asked beside the page, which stays."""
    answer = page.request.get(origin(page) + path)
    assert not any(words in answer.text() for words in SAID.values())
    return answer.status == 403


def reads(page: Page, panel: Panel, who: str) -> None:
    page.goto(origin(page) + panel.card(who))
    expect(page.get_by_text(SAID[who])).to_be_visible()


def submit_in_turn(ana: Page, bo: Page, dee: Page, mara: Page, panel: Panel) -> None:
    """Ana, then Dee who shadows, then Bo: each reads the others' only after their own; the panel's figures wait."""
    hand_in(ana, "Yes", SAID["ana"])
    assert refused(bo, panel.card("ana"))
    assert refused(dee, panel.card("ana"))
    assert refused(mara, panel.card("ana"))

    hand_in(dee, "Strong no", SAID["dee"])
    reads(dee, panel, "ana")
    reads(ana, panel, "dee")
    assert refused(bo, panel.card("dee"))
    for page in (ana, bo, dee):
        assert refused(page, f"{panel.application}/panel/")
    for page in (ana, bo, mara):  # the gate: no debrief before all are in
        assert refused(page, f"{panel.application}/debrief/")
    mara.goto(f"{origin(mara)}{panel.application}/panel/")
    expect(mara.get_by_text("Bo has not submitted a card yet.")).to_be_visible()
    expect(mara.locator("body")).not_to_contain_text("Dee has not")

    hand_in(bo, "No", SAID["bo"])
    reads(bo, panel, "ana")
    reads(ana, panel, "bo")


# --- the manager ------------------------------------------------------------------------------------------------------


def panel_of(application: Application) -> PanelScorecard:
    """The card of all who count, made by the worker; the shadow counts nowhere in it."""
    cards = PanelScorecard.objects.filter(application=application).order_by("number")

    def compiled() -> bool:
        card = cards.last()
        return card is not None and sum(card.content["recommendations"]["counts"].values()) == 2

    until(compiled, "the panel card of Ana and Bo")
    card = cards.last()
    assert card is not None
    assert card.content["recommendations"]["counts"] == {"yes": 1, "no": 1}
    depth = card.content["dimensions"]["depth"]
    assert (depth["value"], depth["lowest"], depth["highest"], depth["raters"]) == (2.0, 1.5, 2.5, 2)
    assert depth["provisional"]
    return card


def read_panel(mara: Page) -> None:
    mara.goto(origin(mara))
    mara.get_by_role("link", name="Read").click()
    expect(mara.get_by_role("heading", name="Boundary map")).to_be_visible()
    expect(mara.get_by_text("Depth: raw 2.00 (Ana 2.5, Bo 1.5).").last).to_be_visible()
    expect(mara.locator("main")).not_to_contain_text("Dee")


def compare_three(mara: Page, application: Application) -> None:
    """Beside two others, measured against one of them: the overlap is said, and nobody is ranked."""
    others = copy_card(application, application.position, 2, name="Other")
    calibrate(others[0], depth=(3.0, 2.6, 3.4))
    calibrate(others[1], depth=(3.2, 2.8, 3.6))
    mara.goto(f"{origin(mara)}/positions/{application.position.code}/compare/")
    for name in ("Kim Lindqvist", "Other 1", "Other 2"):
        mara.get_by_role("checkbox", name=name).check()
    mara.get_by_role("button", name="Compare the chosen").click()
    mara.get_by_role("combobox", name="Measure against").select_option("Other 1")
    mara.get_by_role("button", name="Measure", exact=True).click()

    say = mara.locator("#say")
    expect(say).to_contain_text(
        "Overlaps Other 1: Other 2. Above: none. Below: none. Without an interval: Kim Lindqvist."
    )
    expect(say).to_contain_text("Overlapping intervals do not order people.")
    expect(mara.get_by_role("row", name="Kim Lindqvist")).to_contain_text("2.0 raw, 1.5 to 2.5")
    mara.get_by_role("row", name="Kim Lindqvist").get_by_role("link").click()
    expect(mara.get_by_role("heading", level=1)).to_have_text("Panel scorecard: Kim Lindqvist")


def hold_debrief(open_page: OpenPage, site: Web, mara: Page, cast: Cast) -> None:
    """Silence, a second vote that is sealed until it is closed, a note, and the decision with its rationale."""
    mara.get_by_role("link", name="Debrief").click()
    mara.get_by_role("button", name="Open the debrief").click()
    expect(mara.locator("#debrief-line")).to_have_attribute("data-state", "live")  # there is one to come to
    path = "/" + mara.url.split("/", 3)[3]
    ana, bo = (open_page(site.url, path, session_of(one)) for one in (cast.ana, cast.bo))
    for page in (mara, ana, bo):
        expect(page.locator("#debrief-line")).to_have_attribute("data-state", "live")
    mara.get_by_role("button", name="Begin the reading").click()
    expect(ana.locator("[aria-current=step]")).to_have_text("Reading in silence")
    mara.get_by_role("button", name="Go on to the vote").click()

    bo.locator("#vote-form").get_by_text("Yes", exact=True).click()
    bo.get_by_role("textbox", name="Reason").fill("Ana heard the numbers.")
    bo.get_by_role("button", name="Vote").click()
    expect(bo.get_by_text("Your second vote is kept: Yes.")).to_be_visible()
    expect(mara.get_by_text("Have voted: Bo")).to_be_visible()
    for page in (mara, ana):
        expect(page.locator("#debrief-votes")).to_contain_text("Sealed until the second vote is closed.")
        expect(page.locator("body")).not_to_contain_text("Ana heard the numbers.")
    mara.get_by_role("button", name="Close the vote and show it").click()
    expect(ana.get_by_role("row", name="Bo")).to_contain_text("Ana heard the numbers.")

    ana.get_by_role("textbox", name="Note").fill("Halving is what we need.")
    ana.get_by_role("button", name="Add the note").click()
    expect(mara.locator("#debrief-notes")).to_contain_text("Halving is what we need.")
    mara.locator("#decision-form").get_by_text("Make an offer", exact=True).click()
    mara.get_by_role("textbox", name="Rationale").fill("Both would work with Kim.")
    mara.get_by_role("button", name="Decide").click()
    for page in (mara, ana, bo):
        expect(page.locator("#debrief-decisions")).to_contain_text("Both would work with Kim.")
    assert (Debrief.objects.get().phase, DebriefDecision.objects.get().decision) == ("decided", "offer")


def download(mara: Page, application: Application) -> str:
    mara.get_by_role("link", name="Panel scorecard").first.click()
    with mara.expect_download() as started:
        mara.get_by_role("link", name="As PDF").click()
    file = started.value
    assert file.suggested_filename == f"panel-scorecard-{application.code}.pdf"
    reader = PdfReader(io.BytesIO(file.path().read_bytes()))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())
