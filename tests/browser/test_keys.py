"""A key presses a visible button, and is silent wherever somebody types or holds it down."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from people.keys import override
from tests.browser.conftest import Site
from tests.browser.room_peer import open_room, say_nothing
from tests.support.room_page import ASKED

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><title>keys</title>
<body data-not-now="Not now">
<div id="live-polite"></div><div id="live-assertive"></div><div id="messages"></div>
<button id="a" aria-keyshortcuts="A">A</button>
<button id="off" aria-keyshortcuts="D" disabled>D</button>
<button id="gone" aria-keyshortcuts="G" hidden>G</button>
<button id="send" aria-keyshortcuts="Control+Enter">Send</button>
<button id="ask" aria-keyshortcuts="Enter">Ask</button>
<input id="text"><textarea id="area"></textarea><div id="edit" contenteditable>x</div>
<ul id="tree" role="tree"><li role="treeitem" tabindex="0">one</li></ul>
<dialog id="box"><button id="in" aria-keyshortcuts="A">in</button></dialog>
<p id="said"></p>
<script type="module" src="/static/js/base.js"></script>
<script type="module" src="/listen.js"></script>
</body></html>"""
LISTEN = """document.addEventListener("click", (event) => {
  if (event.target.id) document.getElementById("said").append(event.target.id, " ");
});"""


@pytest.fixture
def keys(page: Page, site: Site) -> Page:
    page.route("**/listen.js", lambda route: route.fulfill(body=LISTEN, content_type="text/javascript"))
    page.goto(site.put("/keys", PAGE))
    page.wait_for_function("() => document.querySelector('#said') !== null")
    return page


def said(page: Page) -> str:
    return (page.locator("#said").text_content() or "").strip()


def dispatch(page: Page, **event: object) -> None:
    page.evaluate(
        "(init) => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...init}))",
        event,
    )


def test_key_presses_its_button(keys: Page) -> None:
    keys.keyboard.press("a")

    assert said(keys) == "a"


@pytest.mark.parametrize("place", ["#text", "#area", "#edit"])
def test_key_is_silent_where_somebody_types(keys: Page, place: str) -> None:
    keys.locator(place).focus()

    keys.keyboard.press("a")

    assert said(keys) == ""


def test_key_is_silent_in_a_tree_that_reads_letters_itself(keys: Page) -> None:
    keys.locator("[role=treeitem]").focus()

    keys.keyboard.press("a")

    assert said(keys) == ""


@pytest.mark.parametrize(
    "event",
    [
        {"key": "a", "repeat": True},
        {"key": "a", "isComposing": True},
        {"key": "a", "keyCode": 229},
        {"key": "Process", "code": "KeyA", "keyCode": 229},
        {"key": "a", "metaKey": True},
        {"key": "a", "altKey": True},
        {"key": "A", "shiftKey": True},
    ],
    ids=lambda event: " ".join(event),
)
def test_key_is_silent_when_held_composed_or_combined(keys: Page, event: dict[str, object]) -> None:
    dispatch(keys, **event)

    assert said(keys) == ""


@pytest.mark.parametrize(
    "event", [{"key": "ф", "code": "KeyA"}, {"key": "あ", "code": "KeyA"}, {"key": "A", "code": "KeyA"}]
)
def test_key_is_found_by_its_place_on_another_layout_and_under_caps_lock(keys: Page, event: dict[str, object]) -> None:
    dispatch(keys, **event)

    assert said(keys) == "a"


def test_disabled_button_says_not_now(keys: Page) -> None:
    keys.keyboard.press("d")

    assert said(keys) == ""
    expect(keys.locator("#live-polite")).to_have_text("Not now")


def test_hidden_button_is_not_pressed(keys: Page) -> None:
    keys.keyboard.press("g")

    assert said(keys) == ""


def test_modal_hears_alone(keys: Page) -> None:
    keys.evaluate("() => document.getElementById('box').showModal()")
    keys.locator("#in").blur()

    dispatch(keys, key="a")

    assert said(keys) == "in"


def test_combination_works_while_typing(keys: Page) -> None:
    keys.locator("#area").focus()

    keys.keyboard.press("Control+Enter")

    assert said(keys) == "send"


def test_enter_is_the_buttons_own_while_one_has_focus(keys: Page) -> None:
    keys.locator("#a").focus()

    keys.keyboard.press("Enter")

    assert said(keys) == "a"


def test_keys_that_are_off_press_nothing(keys: Page) -> None:
    keys.evaluate("() => { document.body.dataset.keys = 'off'; }")

    keys.keyboard.press("a")

    assert said(keys) == ""


def test_twenty_quick_keys_are_all_kept_in_order_on_their_probe(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    for key in "asdfg" * 4:
        page.keyboard.press(key)

    peer.wait_for_commands(20)
    order = ["sustained", "partial", "recited", "not_sustained", "not_judged"] * 4
    assert [one["data"]["outcome"] for one in peer.commands] == order
    assert [one["data"]["version"] for one in peer.commands] == list(range(20))
    assert {one["data"]["asked"] for one in peer.commands} == {ASKED[1]}


def test_input_method_in_notes_sends_no_command_and_keeps_its_text(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("n")
    devtools = page.context.new_cdp_session(page)

    devtools.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229, "code": "KeyA"}
    )
    devtools.send("Input.imeSetComposition", {"text": "ni", "selectionStart": 2, "selectionEnd": 2})
    peer.event("panel", "lead.hand_over", html='<ul class="here" id="presence"></ul>')
    devtools.send("Input.insertText", {"text": "你"})
    page.locator(".note:focus").blur()

    (command,) = peer.wait_for_commands(1)
    assert (command["name"], command["data"]["text"]) == ("note.set", "你")


def test_legend_lists_the_keys_that_can_be_pressed(page: Page, site: Site) -> None:
    open_room(page, site)

    page.keyboard.press("?")

    legend = page.locator("key-legend")
    expect(legend).to_contain_text("Sustained")
    rows = [row.split() for row in legend.locator("li").all_inner_texts()]
    assert len(rows) == len({" ".join(row) for row in rows})
    keys = set(legend.locator("kbd:first-child").all_text_contents())
    assert {"A", "G", "Z", "0", "4", "N", "E", "B", "Y", "U", "Q", "L", "J", "K", "[", "?", "Ctrl K"} <= keys
    assert not any("+" in key and key != "+" for key in keys)


def test_command_is_found_by_its_name_and_pressed_by_enter(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("n")  # also while a note is typed
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Type what you want to do")
    expect(box).to_be_focused()
    names = page.locator("#palette-list [data-fill=name]").all_text_contents()
    assert "Keys" in names
    assert "Commands" not in names  # which is open
    assert not any(" :" in name for name in names)

    page.keyboard.type("recit")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("option")).to_contain_text("Outcome")
    expect(page.locator("#dialog-palette [role=status]")).to_have_text("1 commands")
    page.keyboard.press("Enter")

    expect(page.locator("#dialog-palette")).to_be_hidden()
    (mark,) = peer.wait_for_commands(1)
    assert (mark["name"], mark["data"]["outcome"]) == ("mark.set", "recited")


def test_question_of_another_tree_is_found_by_its_words(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    wanted = page.locator("#dialog-outline [data-probe]").last
    title = wanted.locator("[lang]").text_content() or ""

    page.keyboard.press("Control+k")
    page.keyboard.type(title)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    (ask,) = peer.wait_for_commands(1)
    assert (ask["name"], ask["data"]["probe"]) == ("probe.ask", wanted.get_attribute("data-probe"))


def test_listener_finds_no_question_to_ask(page: Page, site: Site) -> None:
    open_room(page, site, role="interviewer")

    page.keyboard.press("Control+k")

    expect(page.get_by_role("option", name="Partial")).to_be_visible()
    assert page.locator("#palette-list").get_by_role("option").filter(has_text="Why a hybrid").count() == 0


def test_enter_of_an_input_method_chooses_no_command(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("Control+k")
    page.keyboard.type("Recited")
    box = page.get_by_role("combobox")

    box.evaluate(
        "input => input.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true}))"
    )

    expect(page.locator("#dialog-palette")).to_be_visible()
    page.keyboard.press("Enter")
    assert len(peer.wait_for_commands(1)) == 1


def test_own_letters_press_and_keys_that_are_off_leave_the_list_of_commands(page: Page, site: Site) -> None:
    with override({"letters": {"A": "5", "Y": "A"}}):
        peer = open_room(page, site)

    page.keyboard.press("5")
    page.keyboard.press("a")
    first, second = peer.wait_for_commands(2)
    assert (first["data"]["outcome"], second["name"]) == ("sustained", "probe.ask")

    page.evaluate("() => { document.body.dataset.keys = 'off'; }")
    page.keyboard.press("s")
    page.keyboard.press("Control+k")
    page.keyboard.type("told")
    page.keyboard.press("Enter")
    assert [one["data"] for one in peer.wait_for_commands(3)][2]["aid"] == "told"
