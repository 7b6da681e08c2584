"""The tree editor in the browser: written, moved and mended by keyboard alone, or by the pointer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from questionbank.models import Probe, TreeVersion
from tests.browser.editor_page import (
    current,
    go,
    press_until,
    ready,
    rows,
    saved,
    say,
    shape,
    stored,
)
from tests.browser.held import stop_clock

pytestmark = pytest.mark.browser


def test_four_levels_are_written_with_the_keyboard_alone(editor: Page, clocks: TreeVersion) -> None:
    Probe.objects.filter(version=clocks).delete()
    editor.reload()
    expect(editor.locator("#ed-empty")).to_be_visible()

    editor.locator("#editor-tools button[data-do=add]").focus()
    say(editor, "How do two clocks differ?")
    say(editor, "Why do they drift?")
    say(editor, "What did you measure?")
    say(editor, "Which cause did you rule out?")
    editor.keyboard.press("Home")
    say(editor, "What would help an operator?")
    saved(editor)

    assert shape() == [
        (1, "two-clocks-differ"),
        (2, "drift"),
        (3, "measure"),
        (4, "cause-rule-out"),
        (2, "help-operator"),
    ]


def test_fields_of_a_probe_are_written_with_the_keyboard_alone(editor: Page) -> None:
    go(editor, "l2")
    editor.keyboard.press("Enter")
    expect(editor.locator("#probe-form[data-probe=l2] #f-prompt-en")).to_be_focused()
    editor.keyboard.press("Control+End")
    editor.keyboard.type(" And when?")
    press_until(editor, "Tab", "[name=kind][value=probe]")
    editor.keyboard.press("ArrowLeft")
    press_until(editor, "Tab", "[name='aim.hands_on']")
    editor.keyboard.press("Space")
    press_until(editor, "Tab", "#f-minutes")
    editor.keyboard.type("7")
    press_until(editor, "Tab", "[name='when.partial']")
    editor.keyboard.press("Space")
    press_until(editor, "Tab", "#f-signals-strong-en")
    editor.keyboard.press("Control+A")
    editor.keyboard.type("Names the drift\nNames the cause")
    press_until(editor, "Tab", "#f-anchors-hands_on-4-en")
    editor.keyboard.type("Set one and measured it")
    editor.keyboard.press("Escape")
    expect(editor.locator("#row-l2")).to_be_focused()
    saved(editor)

    probe = stored("l2")
    assert probe.prompt["en"] == "What about l2 in clocks? And when?"
    assert [text["en"] for text in probe.signals["strong"]] == ["Names the drift", "Names the cause"]
    assert (probe.kind, probe.aims, probe.minutes) == ("check", ("depth", "why", "hands_on"), 7)
    assert probe.branch.outcomes == ("partial",)
    assert probe.anchors["hands_on"] == {4: {"en": "Set one and measured it"}}


def test_tree_is_walked_as_a_tree(editor: Page) -> None:
    editor.locator("#row-root").focus()
    walked = []
    for key in (
        "ArrowDown",
        "ArrowDown",
        "ArrowRight",
        "ArrowRight",
        "ArrowLeft",
        "ArrowLeft",
        "End",
        "ArrowUp",
        "Home",
    ):
        editor.keyboard.press(key)
        walked.append(current(editor))

    assert walked == ["l2", "l3", "l4", "l4", "l3", "l3", "root-rescue", "l2-again", "root"]
    expect(editor.locator("#row-l4")).to_be_hidden()
    expect(editor.locator("#row-l3")).to_have_attribute("aria-expanded", "false")
    assert editor.locator("[role=treeitem][tabindex='0']").count() == 1

    stop_clock(editor)  # or a pause between two letters would begin another word
    editor.keyboard.type("what about l2-a")
    assert current(editor) == "l2-again"
    expect(editor.locator("#row-l2-again")).to_have_attribute("aria-posinset", "2")
    expect(editor.locator("#row-l2-again")).to_have_attribute("aria-setsize", "2")
    expect(editor.locator("#row-l2-again")).to_have_attribute("aria-level", "3")


def test_alt_and_arrows_move_and_escape_puts_back(editor: Page) -> None:
    go(editor, "l2-again")
    editor.keyboard.press("Alt+ArrowUp")
    saved(editor)
    assert [key for _level, key in shape()] == ["root", "l2", "l2-again", "l3", "l4", "root-rescue"]

    editor.keyboard.press("Alt+ArrowLeft")
    editor.wait_for_function("() => document.querySelector('#draft-state').dataset.seen === '2'")
    assert stored("l2-again").parent == "root"
    editor.keyboard.press("Alt+ArrowRight")
    editor.wait_for_function("() => document.querySelector('#draft-state').dataset.seen === '3'")
    assert stored("l2-again").parent == "l2"
    expect(editor.locator("#row-l2-again")).to_be_focused()

    before = rows(editor)
    editor.keyboard.down("Alt")
    editor.keyboard.press("ArrowLeft")
    editor.keyboard.press("ArrowDown")
    assert rows(editor) != before
    editor.keyboard.press("Escape")
    editor.keyboard.up("Alt")
    assert rows(editor) == before
    expect(editor.locator("#draft-state")).to_have_attribute("data-seen", "3")


def test_several_steps_are_one_move(editor: Page) -> None:
    go(editor, "l4")
    editor.keyboard.down("Alt")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        editor.keyboard.press(key)
    editor.keyboard.up("Alt")
    saved(editor)

    expect(editor.locator("#draft-state")).to_have_attribute("data-seen", "1")
    assert [key for _level, key in shape()] == ["root", "l4", "l2", "l3", "l2-again", "root-rescue"]


def test_dialog_moves_anywhere(editor: Page) -> None:
    go(editor, "l3")
    editor.keyboard.press("m")
    editor.locator("#m-parent").select_option("root-rescue")
    editor.locator("#move-form button").press("Enter")
    saved(editor)

    assert stored("l3").parent == "root-rescue"
    assert stored("l4").parent == "l3"


def test_pointer_drags_with_everything_below(editor: Page) -> None:
    target = editor.locator("#row-root-rescue").bounding_box()
    start = editor.locator("#row-l3").bounding_box()
    assert target
    assert start
    editor.mouse.move(start["x"] + 40, start["y"] + 10)
    editor.mouse.down()
    editor.mouse.move(target["x"] + 40, target["y"] + target["height"] / 2, steps=4)
    expect(editor.locator("#row-root-rescue")).to_have_attribute("data-local-drop", "inside")
    editor.keyboard.press("Escape")
    editor.mouse.up()
    assert stored("l3").parent == "l2"

    editor.mouse.move(start["x"] + 40, start["y"] + 10)
    editor.mouse.down()
    editor.mouse.move(target["x"] + 40, target["y"] + target["height"] - 3, steps=4)
    editor.mouse.up()
    saved(editor)

    assert [(level, key) for level, key in shape() if key in {"l3", "l4"}] == [(2, "l3"), (3, "l4")]
    assert rows(editor) == ["root", "l2", "l2-again", "root-rescue", "l3", "l4"]


def test_remove_is_undone_with_one_key_also_after_a_reload(editor: Page) -> None:
    before = shape()
    go(editor, "l3")
    editor.keyboard.press("Delete")
    expect(editor.locator("#row-l3")).to_have_count(0)
    expect(editor.locator("#row-l2-again")).to_be_focused()
    saved(editor)
    assert [key for _level, key in shape()] == ["root", "l2", "l2-again", "root-rescue"]

    editor.wait_for_url("**#row-l2-again")
    editor.reload()
    ready(editor, "l2-again")
    editor.locator("#row-l2-again").focus()
    editor.keyboard.press("z")
    expect(editor.locator("#row-l3")).to_be_focused()
    assert shape() == before

    editor.keyboard.press("y")
    expect(editor.locator("#row-l3")).to_have_count(0)


def test_duplicate_and_insert_above(editor: Page) -> None:
    go(editor, "l3")
    editor.keyboard.press("d")
    expect(editor.locator("#row-l3-2")).to_be_focused()
    say(editor, "Before that?", key="i")
    saved(editor)

    assert [(level, key) for level, key in shape()][4:7] == [(3, "before"), (4, "l3-2"), (5, "l4-2")]
