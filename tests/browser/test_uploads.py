"""Bringing a bank in, in the browser: columns, preview, progress, and what is then in the bank."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from questionbank.enums import UploadState
from questionbank.models import TreeVersion, Upload
from questionbank.services.uploads import SMALL
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser

TABLE = "Frage,Antwort,Nachfrage\nWhat drifts?,Clocks drift.,\n,a stray answer,\n"


@pytest.fixture
def page_of_cora(context: BrowserContext, whole_site: Web, cast: Cast) -> Page:
    context.add_cookies([{"name": "sessionid", "value": session_of(cast.cora), "url": whole_site.url}])
    page = context.new_page()
    page.goto(f"{whole_site.url}/bank/imports/")
    return page


def test_a_table_is_mapped_looked_at_and_imported_by_the_keyboard(page_of_cora: Page, tmp_path: Path) -> None:
    page = page_of_cora
    file = tmp_path / "drift.csv"
    file.write_text(TABLE)
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Read the files").press("Enter")
    expect(page.get_by_role("heading", name="What would change")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("drift.csv:1 Frage | Antwort | Nachfrage")

    page.get_by_role("link", name="What the columns hold").press("Enter")
    page.get_by_label("Frage", exact=True).select_option("question")
    page.get_by_label("Antwort").select_option("answer")
    page.get_by_label("Nachfrage").select_option("follow-up question")
    page.get_by_role("button", name="Look at the import again").press("Enter")

    expect(page.get_by_role("row", name="What drifts?")).to_contain_text("new, 1 probe")
    expect(page.get_by_role("main")).to_contain_text("a stray answer")
    assert not TreeVersion.objects.exists()
    page.get_by_role("button", name="Import as drafts").press("Enter")

    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    page.get_by_role("link", name="What drifts?").press("Enter")
    expect(page.get_by_role("heading", name="What drifts?", level=1)).to_be_visible()
    assert TreeVersion.objects.count() == 1


def test_a_large_file_shows_its_progress_and_leaves_nothing_when_cancelled(
    page_of_cora: Page, tmp_path: Path, whole_site: Web
) -> None:
    page = page_of_cora
    file = tmp_path / "clocks.yaml"
    file.write_text(SOURCE + "# " + "x" * SMALL)
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Read the files").click()
    # Read by the worker; the page turns over to the preview by itself.
    expect(page.get_by_role("heading", name="What would change")).to_be_visible()

    # As while a worker is in the middle of it: no worker finishes this one.
    Upload.objects.update(state=UploadState.IMPORTING, done=25, total=100)
    page.reload()
    bar = page.get_by_role("progressbar", name="Progress of the import")
    expect(bar).to_have_attribute("aria-valuenow", "25")
    Upload.objects.update(done=60)
    expect(bar).to_have_attribute("aria-valuenow", "60")
    expect(page.locator("#live-polite")).to_have_text("60 of 100 trees written.")

    page.get_by_role("button", name="Cancel the import").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Nothing of it is in the bank")
    assert Upload.objects.get().state == UploadState.CANCELLED
    assert not TreeVersion.objects.exists()
