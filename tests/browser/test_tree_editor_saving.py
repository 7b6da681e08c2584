"""What is typed in the tree editor and where it goes: two curators, no line, no way to lose it; and how it looks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from questionbank import queries
from questionbank.models import Probe, TreeVersion
from questionbank.services import editing
from tests.browser.editor_page import (
    EDIT,
    current,
    go,
    ready,
    rows,
    saved,
    shape,
    sign_in,
    stored,
)
from tests.browser.held import held_back
from tests.browser.looks import Look, axe_faults, each_look, faults
from tests.cast import Cast
from tests.support.web import Web

pytestmark = pytest.mark.browser

SAVES = "**/edit/field/"  # also by itself, when typing pauses: so a save is held back before the first letter

# --- two curators, no line


@pytest.mark.parametrize(("key", "kept"), [("m", "Cora's words"), ("t", "Ada's words")])
def test_later_save_shows_both_texts_and_one_key_chooses(
    editor: Page, clocks: TreeVersion, curators: Cast, key: str, kept: str
) -> None:
    go(editor, "l2")
    ready(editor, "l2")
    was = stored("l2").prompt["en"]
    editing.change_field(clocks, by=curators.ada, key="l2", name="prompt.en", was=was, value="Ada's words")
    editor.locator("#f-prompt-en").fill("Cora's words")
    editor.locator("#conflict[data-kind=field]").wait_for()
    expect(editor.locator("#conflict")).to_contain_text("Ada's words")
    expect(editor.locator("#conflict")).to_contain_text("Cora's words")
    expect(editor.locator("[data-group='prompt.en'] [data-save]")).to_have_attribute("data-state", "stale")
    assert stored("l2").prompt["en"] == "Ada's words"
    expect(editor.locator("#conflict")).to_be_focused()

    editor.keyboard.press("Escape")
    editor.keyboard.press(key)
    expect(editor.locator("#conflict[data-kind]")).to_have_count(0)
    expect(editor.locator("#f-prompt-en")).to_have_value(kept)
    expect(editor.locator("#row-l2")).to_contain_text(kept)
    assert stored("l2").prompt["en"] == kept


def overtaken(editor: Page, clocks: TreeVersion, by: Any) -> None:
    """Stand in the words of a probe that Ada changes while they are shown."""
    go(editor, "l2")
    ready(editor, "l2")
    was = stored("l2").prompt["en"]
    editing.change_field(clocks, by=by, key="l2", name="prompt.en", was=was, value="Ada's words")
    editor.locator("#f-prompt-en").focus()
    editor.keyboard.press("Control+A")


@pytest.mark.parametrize(("key", "kept"), [("m", "Cora's words"), ("t", "Ada's words")])
def test_conflict_takes_the_focus_from_the_next_field_and_gives_it_back(
    editor: Page, clocks: TreeVersion, curators: Cast, key: str, kept: str
) -> None:
    overtaken(editor, clocks, curators.ada)
    with held_back(editor, SAVES):
        editor.keyboard.type("Cora's words")
        editor.keyboard.press("Tab")
        went_on = editor.evaluate("() => document.activeElement.name")
    expect(editor.locator("#conflict")).to_be_focused()
    expect(editor.locator("#live-assertive")).to_contain_text("was changed meanwhile")

    editor.keyboard.press(key)

    expect(editor.locator("#conflict[data-kind]")).to_have_count(0)
    expect(editor.locator(f"#probe-form [name='{went_on}']:focus")).to_have_count(1)
    expect(editor.locator("#row-l2")).to_contain_text(kept)
    assert stored("l2").prompt["en"] == kept


def test_conflict_waits_until_an_input_method_is_done(editor: Page, clocks: TreeVersion, curators: Cast) -> None:
    overtaken(editor, clocks, curators.ada)
    client = editor.context.new_cdp_session(editor)
    with held_back(editor, SAVES):
        editor.keyboard.type("Cora's words")
        editor.keyboard.press("Tab")
        client.send("Input.imeSetComposition", {"text": "zhong", "selectionStart": 5, "selectionEnd": 5})
    editor.locator("#conflict[data-kind=field]").wait_for()
    expect(editor.locator("#live-assertive")).to_contain_text("was changed meanwhile")
    assert not editor.locator("#conflict:focus").count()

    client.send("Input.insertText", {"text": "中文"})

    expect(editor.locator("#conflict")).to_be_focused()


def test_keys_act_on_the_tree_from_the_start(editor: Page) -> None:
    expect(editor.locator("#row-root")).to_be_focused()
    editor.keyboard.press("ArrowDown")
    assert current(editor) == "l2"

    ready(editor, "l2")
    editor.reload()
    expect(editor.locator("#row-l2")).to_be_focused()


def test_aim_takes_anchors_along_only_once_they_were_seen(editor: Page, clocks: TreeVersion, curators: Cast) -> None:
    go(editor, "l2")
    ready(editor, "l2")
    name = "anchors.why.3.en"
    editing.change_field(clocks, by=curators.ada, key="l2", name=name, was="", value="Ada's anchor")

    editor.locator("[name='aim.why']").evaluate("box => box.click()")
    expect(editor.locator("#conflict[data-kind=along]")).to_contain_text("Ada's anchor")
    assert stored("l2").anchors["why"][3]["en"] == "Ada's anchor"
    editor.locator("[data-do='conflict-mine']").click()

    expect(editor.locator("#conflict[data-kind]")).to_have_count(0)
    expect(editor.locator("#anchors-why")).to_have_count(0)
    assert "why" not in stored("l2").anchors


def test_what_was_removed_meanwhile_can_be_brought_back_with_my_words(
    editor: Page, clocks: TreeVersion, curators: Cast
) -> None:
    go(editor, "l4")
    ready(editor, "l4")
    editing.remove_probe(clocks, by=curators.ada, key="l4", shown={"l4": editing.fingerprint(stored("l4"))})
    editor.locator("#f-prompt-en").fill("Mine")
    editor.locator("#conflict[data-kind=gone]").wait_for()
    editor.locator("[data-do=conflict-mine]").click()
    saved(editor)

    assert stored("l4").prompt["en"] == "Mine"


def test_page_catches_up_with_what_others_did(editor: Page, clocks: TreeVersion, curators: Cast) -> None:
    copied = editing.duplicate_probe(clocks, by=curators.ada, key="l4").key
    assert copied not in rows(editor)
    go(editor, "root-rescue")
    editor.keyboard.press("d")

    expect(editor.locator(f"#row-{copied}")).to_be_visible()
    assert rows(editor) == [key for _level, key in shape()]


def test_typing_without_a_line_is_kept_and_sent_later(editor: Page) -> None:
    go(editor, "l2")
    ready(editor, "l2")
    editor.route("**/edit/field/", lambda route: route.fulfill(status=204))
    editor.locator("#f-prompt-en").fill("Kept words")
    expect(editor.locator("[data-group='prompt.en'] [data-save]")).to_have_attribute("data-state", "unsent")
    expect(editor.locator("#live-assertive")).to_contain_text("Not saved yet")
    editor.unroute("**/edit/field/")
    editor.evaluate("() => window.dispatchEvent(new Event('online'))")
    saved(editor)

    assert stored("l2").prompt["en"] == "Kept words"


def test_whoever_has_gone_on_is_not_called_back_by_a_save(editor: Page) -> None:
    go(editor, "l2")
    editor.keyboard.press("Enter")
    expect(editor.locator("#probe-form[data-probe=l2] #f-prompt-en")).to_be_focused()
    editor.keyboard.press("Control+End")
    editor.keyboard.type(" Go on.")
    editor.keyboard.press("Escape")
    editor.keyboard.press("ArrowDown")
    editor.keyboard.press("ArrowDown")
    saved(editor)
    ready(editor, "l4")

    assert current(editor) == "l4"
    assert stored("l2").prompt["en"].endswith(" Go on.")


def test_title_of_the_tree_is_written_in_place(editor: Page) -> None:
    editor.locator("summary").press("Enter")
    editor.locator("#h-title-en").fill("Clocks that agree")
    saved(editor)

    expect(editor.locator("#draft-title")).to_contain_text("Clocks that agree")
    assert queries.tree_version("clocks", 1).version.title["en"] == "Clocks that agree"


def test_draft_that_is_gone_is_said_and_not_tried_for_ever(editor: Page, clocks: TreeVersion) -> None:
    clocks.delete()
    editor.locator("#f-prompt-en").fill("Too late")

    expect(editor.locator("[data-group='prompt.en'] [data-save]")).to_have_attribute("data-state", "refused")
    expect(editor.locator("#live-assertive")).to_contain_text("did not work")
    expect(editor.locator("#f-prompt-en")).to_have_value("Too late")


def test_composition_is_no_command(editor: Page) -> None:
    go(editor, "l2")
    client = editor.context.new_cdp_session(editor)
    client.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229})

    assert rows(editor) == ["root", "l2", "l3", "l4", "l2-again", "root-rescue"]
    expect(editor.locator("dialog[open]")).to_have_count(0)


# --- how it looks, how fast it is


@each_look
def test_pages_fit_and_pass_axe(
    web: Web, curators: Cast, clocks: TreeVersion, context: BrowserContext, page: Page, look: Look
) -> None:
    sign_in(context, web, curators, language=look.language)
    for path in (EDIT, "/bank/trees/clocks/v1/walk/?at=l2&heard=partial"):
        page.goto(web.url + path)
        if path == EDIT:
            ready(page)
            page.locator("summary").click()
        assert faults(page, look) == [], path
    for key in ("a", "m"):
        page.goto(web.url + EDIT + "#row-l3")
        ready(page, "l3")
        page.locator("#row-l3").press(key)
        page.locator("dialog[open]").wait_for()
        assert axe_faults(page) == []


def test_tree_tells_assistive_technology_what_it_is(editor: Page) -> None:
    # Nothing in it but items, and each is named by what it asks: no buttons.
    expect(editor.locator("#tree")).to_match_aria_snapshot("""
      - tree "Tree":
        - /children: equal
        - treeitem "Level 1 What about root in clocks? 2 findings check depth" [expanded] [level=1] [selected]
        - treeitem "Level 2 What about l2 in clocks? 3 findings probe depth, why" [expanded] [level=2]
        - treeitem "Level 3 What about l3 in clocks? 3 findings probe depth, hands-on" [expanded] [level=3]
        - treeitem "Level 4 What about l4 in clocks? 4 findings probe depth, why, hands-on" [level=4]
        - treeitem "Level 2 What about l2-again in clocks? 3 findings check depth, why" [level=3]
        - treeitem "Level 1 What about root-rescue in clocks? 2 findings rescue depth" [level=2]
    """)


def worked(client: CDPSession) -> float:
    """Seconds that the page's main thread has worked."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def test_large_tree_is_edited_without_lag(editor: Page, clocks: TreeVersion, browser: Browser) -> None:
    root = Probe.objects.get(version=clocks, key="root")
    Probe.objects.bulk_create(
        Probe(
            version=clocks, key=f"more-{n}", parent=root, position=100 + n, level=2, aims=["depth"],
            title={"en": f"More {n}"}, prompt={"en": f"Is this number {n} of them?"}, content_hash="0" * 64,
        )
        for n in range(200)
    )  # fmt: skip
    editor.reload()
    ready(editor)
    editor.locator("#row-root").focus()

    # From a key press to the row being current and laid out: well under what an eye notices. Counted is how long the
    # page's own thread worked, which other processes don't lengthen.
    client = editor.context.new_cdp_session(editor)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    began = worked(client)
    editor.evaluate("""() => {
      const tree = document.getElementById("tree");
      const down = {key: "ArrowDown", bubbles: true, cancelable: true};
      for (let n = 0; n < 40; n++) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", down));
        tree.getBoundingClientRect();
      }
    }""")
    assert (worked(client) - began) / 40 < 0.05
    go_to = editor.locator("#row-more-150")
    go_to.click()
    ready(editor, "more-150")
    go_to.press("Alt+ArrowUp")
    saved(editor)
    assert rows(editor).index("more-150") == rows(editor).index("more-149") - 1
