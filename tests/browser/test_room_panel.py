"""The panel's craft in several browsers: hands, who asks which tree, chat, a lost lead, going on after an end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from playwright.sync_api import LocatorAssertions, Page, expect

from interviews.models import Attendance, ChatLine, Mark, PinnedTree, Position
from interviews.services.seating import share_trees
from tests.browser.test_room_live import OpenRoom, begin, expect_saved
from tests.cast import Cast
from tests.support.factories import Scene, make_scene

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    made = make_scene(cast)
    Position.objects.filter(pk=made.position.pk).update(chat=True)
    pinned = PinnedTree.objects.get(interview=made.interview, version__tree__key="zero-stages")
    share_trees(interview=made.interview, by=cast.mara, askers={pinned.pk: made.bo.code})
    return made


def polite(page: Page) -> LocatorAssertions:
    return expect(page.locator("#live-polite"))


def test_a_hand_goes_up_and_down_and_the_lead_passes_with_one_key(enter: OpenRoom, scene: Scene) -> None:
    lead, bo = enter(scene.cast.ana), enter(scene.cast.bo)
    begin(lead)
    expect(bo.locator("#asks-zero-stages")).to_have_text("Bo asks")

    # Bo wishes to ask something: told to Ana, who asks it; that takes the hand down.
    bo.get_by_role("button", name="I would ask", exact=True).click()
    bo.get_by_role("button", name="l2 of data-parallel").click()
    expect(bo.get_by_role("button", name="Lower hand")).to_be_visible()
    polite(lead).to_contain_text("Hand up: Bo l2 of data-parallel")
    expect(lead.locator(f"#seat-{scene.bo.code}")).to_contain_text("would ask: l2 of data-parallel")
    lead.get_by_role("button", name="Ask it").click()
    expect(bo.get_by_role("button", name="Raise hand")).to_be_visible()
    expect(lead.locator("#lead-offers li")).to_have_count(0)

    # With the key, up and down.
    bo.keyboard.press(",")
    expect(lead.locator("#lead-offers")).to_contain_text("Bo would like to ask.")
    bo.keyboard.press(",")
    expect(lead.locator("#lead-offers li")).to_have_count(0)

    # The tree that Bo asks begins: one key gives them the lead.
    lead.get_by_role("button", name="Other tree").click()
    lead.get_by_role("button", name="root of zero-stages").click()
    expect(lead.locator("#lead-offers")).to_contain_text("Bo asks this tree.")
    lead.keyboard.press(";")

    polite(bo).to_contain_text("You lead now")
    polite(lead).to_contain_text("Leads from now on: Bo")
    expect(bo.locator("#next-list .next__press").first).to_be_visible()
    expect(bo.get_by_role("button", name="Raise hand")).to_be_hidden()
    expect(lead.get_by_role("button", name="Raise hand")).to_be_visible()


def test_a_lost_lead_is_taken_and_comes_back_as_one_of_the_panel(enter: OpenRoom, scene: Scene) -> None:
    lead, bo = enter(scene.cast.ana), enter(scene.cast.bo)
    begin(lead)
    expect(bo.locator(f"#seat-{scene.ana.code}")).to_have_attribute("data-local-here", "")
    lead.close()
    expect(bo.locator(f"#seat-{scene.ana.code}")).not_to_have_attribute("data-local-here", "")
    expect(bo.get_by_role("button", name="Take the lead")).to_be_hidden()

    hour = timedelta(hours=1)
    Attendance.objects.filter(seat=scene.ana).update(
        started_at=F("started_at") - hour, seen_at=F("seen_at") - hour, ended_at=F("ended_at") - hour
    )
    bo.evaluate("() => { const then = Date.now; Date.now = () => then() + 61_000; }")
    bo.get_by_role("button", name="Take the lead").click()

    polite(bo).to_contain_text("You lead now")
    expect(bo.locator("#next-list .next__press").first).to_be_visible()
    bo.keyboard.press("y")
    expect(bo.locator("#asked-list [data-asked]")).to_have_count(2)
    ana = enter(scene.cast.ana)
    expect(ana.locator("#asked-list [data-asked]")).to_have_count(2)
    expect(ana.locator("#next-probes")).to_contain_text("Bo leads")
    expect(ana.get_by_role("button", name="Pause")).to_have_count(0)


def test_the_panel_chats_beside_the_interview(enter: OpenRoom, scene: Scene) -> None:
    lead, observer = enter(scene.cast.ana), enter(scene.cast.eli)
    begin(lead)
    expect(lead.locator("#chat")).to_be_hidden()

    # By keyboard; the keys of the room sleep while one writes.
    observer.keyboard.press("/")
    expect(observer.locator("#chat-text")).to_be_focused()
    observer.keyboard.type("Ask about eight cards?")
    observer.keyboard.press("Enter")
    expect(observer.locator("#chat-lines")).to_contain_text("Ask about eight cards?")
    expect(observer.locator("#chat-mine li")).to_have_count(0)

    # Ana hears of it without losing her place, and no words are read out while her drawer is shut.
    polite(lead).to_have_text("Chat: Eli")
    expect(lead.locator("#chat-unread")).to_have_text("1")
    lead.keyboard.press("a")
    expect_saved(lead)
    lead.keyboard.press("/")
    expect(lead.locator("#chat")).to_contain_text("It is not for judgements")
    expect(lead.locator("#chat-unread")).to_have_text("")
    lead.keyboard.type("Yes, next.")
    lead.keyboard.press("Enter")
    polite(observer).to_have_text("Chat: Ana Yes, next.")
    lead.keyboard.press("Escape")
    expect(lead.locator("#chat")).to_be_hidden()
    expect(lead.locator("#chat-open")).to_be_focused()
    assert ChatLine.objects.count() == 2
    assert Mark.objects.written_by(scene.ana).count() == 1


def test_a_refused_line_keeps_its_words(enter: OpenRoom, scene: Scene) -> None:
    observer = enter(scene.cast.eli)
    observer.keyboard.press("/")
    Position.objects.filter(pk=scene.position.pk).update(chat=False)
    observer.keyboard.type("One more thing")
    observer.keyboard.press("Enter")
    expect(observer.locator("#chat-mine")).to_contain_text("The chat is off for this position.")

    # Written again, it is refused again, and waits where the page shows no chat any more.
    observer.get_by_role("button", name="Write it again").click()
    expect(observer.locator("#chat-text")).to_have_value("One more thing")
    expect(observer.locator("#chat-mine li")).to_have_count(0)
    observer.keyboard.press("Enter")
    expect(observer.locator("#chat-mine")).to_contain_text("The chat is off for this position.")
    observer.reload()
    observer.locator("#line[data-state=live]").wait_for()
    observer.keyboard.press("/")
    expect(observer.locator("#chat-mine")).to_contain_text("One more thing")
    expect(observer.locator("#chat-text")).to_have_count(0)
    observer.get_by_role("button", name="Discard").click()
    expect(observer.locator("#chat-mine li")).to_have_count(0)


def test_an_interview_goes_on_after_its_end_and_is_compared_again(enter: OpenRoom, scene: Scene) -> None:
    lead, bo = enter(scene.cast.ana), enter(scene.cast.bo)
    begin(lead)
    lead.keyboard.press("a")
    expect_saved(lead)
    end(lead)
    for page in (lead, bo):
        expect(page.locator("#room-alert")).to_contain_text("nothing lost")

    lead.get_by_role("button", name="Reopen", exact=True).click()
    lead.get_by_label("Why does it go on?").fill("One tree was left")
    lead.keyboard.press("Control+Enter")

    for page in (lead, bo):
        expect(page.locator("#room-status")).to_have_attribute("data-status", "live")
        expect(page.locator("#room-alert")).to_be_hidden()
        polite(page).to_contain_text("The interview goes on")
    lead.keyboard.press("y")
    expect(bo.locator("#asked-list [data-asked]")).to_have_count(2)
    bo.keyboard.press("s")
    expect_saved(bo)
    end(lead)
    for page in (lead, bo):
        expect(page.locator("#room-alert")).to_contain_text("nothing lost")
    assert [Mark.objects.written_by(seat).count() for seat in (scene.ana, scene.bo)] == [1, 1]


def end(lead: Page) -> None:
    lead.get_by_role("button", name="End", exact=True).click()
    lead.get_by_role("button", name="End the interview").click()
