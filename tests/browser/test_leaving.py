"""What a shared machine keeps of rooms: nothing after sign-out, without a line only the unsent, never for others."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from interviews.enums import InterviewStatus
from interviews.models import Interview, Mark, Seat
from people.models import Person
from tests.browser.rooms import OpenPage, begin, enter_room, expect_saved
from tests.browser.test_room_offline import KEPT
from tests.support.factories import Scene
from tests.support.web import Web, session_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ON_DEVICE = """async () => {
  const rows = async ({ name }) => {
    const db = await new Promise((resolve) => {
      const asked = indexedDB.open(name);
      asked.onsuccess = () => resolve(asked.result);
    });
    const count = (store) => new Promise((resolve) => {
      const asked = db.transaction(store).objectStore(store).count();
      asked.onsuccess = () => resolve(asked.result);
    });
    const found = { commands: await count("commands"), journal: await count("journal") };
    db.close();
    return found;
  };
  const bases = await Promise.all((await indexedDB.databases()).map(rows));
  const pages = (await caches.keys()).filter((name) => name.startsWith("sounding-pages-"));
  return { bases, pages: pages.length };
}"""
# Looked at, not waited for: a page that goes there twice aborts the first going.
SIGN_IN = re.compile("/accounts/login/")
NOTHING = {"bases": [], "pages": 0}
ONE_UNSENT = {"bases": [{"commands": 1, "journal": 0}], "pages": 0}


@pytest.fixture
def home(kept_pages: OpenPage, own_web: Web, scene: Scene) -> Page:
    """Ana's home page, after a room of hers closed with one mark that its line did not take any more."""
    room = enter_room(kept_pages, own_web, scene.interview, scene.cast.ana)
    begin(room)
    room.evaluate(KEPT)
    room.route_web_socket("**/ws/**", lambda line: None)
    room.reload()
    room.locator("#room:not([data-starting])").wait_for()  # or the key comes before the script that takes it
    room.keyboard.press("a")
    expect(room.locator("[data-save=outcome]")).to_have_attribute("data-state", "unsent")
    home = room.context.new_page()
    room.close()
    home.goto(own_web.url)
    return home


def ask_to_sign_out(page: Page) -> list[str]:
    """Press the button; what is asked is agreed to. The questions."""
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    page.locator(".top [popovertarget=menu-person]").click()
    page.locator(".top form[data-signs-out] button").click()
    return questions


def sign_in(page: Page, web: Web, person: Person) -> None:
    page.context.add_cookies([{"name": "sessionid", "value": session_of(person), "url": web.url}])
    page.goto(web.url)


def test_signing_out_sends_what_waits_and_clears_the_device(home: Page, scene: Scene) -> None:
    lines: list[str] = []
    home.on("websocket", lambda line: lines.append(line.url))
    questions = ask_to_sign_out(home)

    expect(home).to_have_url(SIGN_IN)
    assert questions == []
    # What the room's page has heard is not asked for again.
    (asked,) = (parse_qs(urlsplit(line).query) for line in lines)
    assert int(asked["panel"][0]) > 0
    assert asked.keys() == {"v", "epoch", "all", "panel", "mine", "seat"}
    assert home.evaluate(ON_DEVICE) == NOTHING
    assert Mark.objects.written_by(scene.ana).get().outcome == "sustained"


def test_without_a_line_signing_out_asks_twice_and_keeps_the_unsent_for_its_author(
    home: Page, own_web: Web, scene: Scene
) -> None:
    own_web.kill()
    questions = ask_to_sign_out(home)
    expect(home.get_by_role("status").filter(has_text="leave this page open")).to_be_visible()
    assert len(questions) == 2
    assert "1 of your marks" in questions[0]
    assert home.evaluate(ON_DEVICE) == ONE_UNSENT
    own_web.start()
    expect(home).to_have_url(SIGN_IN)

    sign_in(home, own_web, scene.cast.bo)
    home.wait_for_function("() => localStorage.getItem('sounding-person') !== null")
    ask_to_sign_out(home)
    expect(home).to_have_url(SIGN_IN)
    assert home.evaluate(ON_DEVICE) == ONE_UNSENT
    assert not Mark.objects.written_by(scene.ana).exists()

    sign_in(home, own_web, scene.cast.ana)
    home.goto(f"{own_web.url}/interviews/{scene.interview.code}/room/")
    expect_saved(home)
    assert Mark.objects.written_by(scene.ana).get().outcome == "sustained"


def test_room_is_forgotten_a_day_after_the_card_is_in_but_for_what_is_unsent(
    home: Page, own_web: Web, scene: Scene
) -> None:
    looked = "() => localStorage.getItem('sounding-looked') !== null"
    home.wait_for_function(looked)  # the page asked already, and nothing was over
    assert home.evaluate(ON_DEVICE)["pages"] == 1
    long_ago = timezone.now() - timedelta(days=2)
    Interview.objects.filter(pk=scene.interview.pk).update(
        status=InterviewStatus.ENDED, started_at=long_ago, ended_at=long_ago
    )
    Seat.objects.filter(pk=scene.ana.pk).update(card_owed=True, card_submitted_at=long_ago)
    home.evaluate("() => localStorage.removeItem('sounding-looked')")
    with home.expect_response("**/interviews/settled/**"):
        home.goto(own_web.url)

    home.wait_for_function(looked)
    assert home.evaluate(ON_DEVICE)["bases"] == ONE_UNSENT["bases"]
    room = f"/interviews/{scene.interview.code}/room/"
    assert home.evaluate("async (path) => Boolean(await caches.match(path))", room) is False
