"""Searching the bank as one types: by keyboard, through an input method, with the way back, and without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from questionbank.enums import VersionState
from questionbank.models import Probe
from questionbank.services.duplicates import compare_waiting
from tests.browser.looks import Look, each_look, faults
from tests.cast import make_cast
from tests.support.factories import make_tree
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser


@pytest.fixture
def bank(web: Web, context: BrowserContext) -> str:
    """The address of a server with two trees; the browser is the curator's."""
    for key in ("data-parallel", "zero-stages"):
        version = make_tree(key, depth=3, state=VersionState.DRAFT)
        version.probes.filter(key="l3").update(
            prompt={"en": f"How does NCCL move the gradients in {key}?", "zh-Hans": "数据并行时 NCCL 怎样传输梯度？"}
        )
    context.add_cookies([{"name": "sessionid", "value": session_of(make_cast().cora), "url": web.url}])
    return web.url


def searches(page: Page) -> list[str]:
    """Collect what the page asks the server for, from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "hx-request" in request.headers else None)
    return asked


def test_a_search_by_keyboard_alone_and_the_way_back(bank: str, page: Page) -> None:
    page.goto(f"{bank}/bank/")
    page.keyboard.press("/")
    expect(page.locator("#find-q")).to_be_focused()

    page.keyboard.insert_text("ncc")  # in one go: each pause would be a search of its own, and be said with the next
    expect(page.locator("h2[data-said]")).to_have_text("2 probes found")
    expect(page.locator("#live-polite")).to_have_text("2 probes found")
    page.keyboard.type("l zero")
    expect(page.locator("h2[data-said]")).to_have_text("1 probe found")
    expect(page).to_have_url(f"{bank}/bank/?q=nccl+zero")

    page.keyboard.press("ArrowDown")
    expect(page.locator(".found__title a")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#find-q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{bank}/bank/trees/zero-stages/v1/probes/l3/")

    page.go_back()
    expect(page.locator("#find-q")).to_have_value("nccl zero")
    expect(page.locator(".found__title a")).to_have_count(1)
    page.go_back()  # one step for the search, however many letters it had
    expect(page).to_have_url(f"{bank}/bank/")
    expect(page.locator("#topic-training")).to_be_visible()


def test_filters_stand_in_the_address(bank: str, page: Page) -> None:
    page.goto(f"{bank}/bank/?q=what")
    expect(page.locator("h2[data-said]")).to_have_text("8 probes found")

    page.get_by_label("Asks for").select_option("why")
    expect(page.locator("h2[data-said]")).to_have_text("4 probes found")
    page.get_by_label("Level").fill("2")
    page.keyboard.press("Tab")
    expect(page).to_have_url(f"{bank}/bank/?q=what&aim=why&level=2")

    page.reload()
    expect(page.get_by_label("Asks for")).to_have_value("why")
    expect(page.locator("h2[data-said]")).to_have_text("4 probes found")
    page.get_by_role("link", name="Show the whole bank").click()
    expect(page).to_have_url(f"{bank}/bank/")


def test_an_input_method_composes_in_peace(bank: str, page: Page) -> None:
    page.clock.install()
    page.goto(f"{bank}/bank/")
    asked = searches(page)
    page.locator("#find-q").focus()
    method = page.context.new_cdp_session(page)

    for letters in ("s", "sh", "shu", "shu ju"):
        method.send(
            "Input.imeSetComposition",
            {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)},
        )
        page.clock.run_for(300)  # longer than the field waits for another letter
    expect(page.locator("#find-q")).to_have_value("shu ju")
    assert asked == []

    method.send("Input.insertText", {"text": "数据"})
    page.clock.run_for(300)
    expect(page.locator("h2[data-said]")).to_have_text("2 probes found")
    expect(page.locator(".found__prompt mark").first).to_have_text("数据")
    assert [url.partition("?")[2].split("&")[0] for url in asked] == ["q=%E6%95%B0%E6%8D%AE"]


def test_a_search_needs_no_script(bank: str, browser: Browser, context: BrowserContext) -> None:
    plain = browser.new_context(java_script_enabled=False, storage_state=context.storage_state())
    page = plain.new_page()
    page.goto(f"{bank}/bank/")
    page.locator("#find-q").fill("nccl")
    page.get_by_label("Level").fill("3")
    page.get_by_role("button", name="Search").click()

    expect(page.locator(".found__title a")).to_have_count(2)
    assert "q=nccl" in page.url
    plain.close()


@each_look
def test_what_was_found_and_pairs_fit_and_pass_axe(bank: str, page: Page, look: Look) -> None:
    Probe.objects.filter(version__tree__key="zero-stages", key="l2").update(
        prompt={"en": "How does NCCL move all of the gradients in data-parallel?"}
    )
    compare_waiting()
    page.context.add_cookies([{"name": "django_language", "value": look.language, "url": bank}])
    pair = "kept=data-parallel/l3&merged=zero-stages/l2"
    for path in ("/bank/?q=nccl", "/bank/?q=nothing+like+this", "/bank/duplicates/", f"/bank/merge/?{pair}"):
        page.goto(bank + path)
        assert faults(page, look) == [], path
