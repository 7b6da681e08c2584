"""`make screenshots [ARGS=name]`: the pictures of README and docs, taken from a demo of their own."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support import chromium

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "images"


@dataclass(frozen=True, slots=True)
class Picture:
    """What `who` sees after `go`, drawn `width` x `height` CSS pixels large."""

    name: str
    who: str
    go: Callable[[Page], object]
    width: int = 1280
    height: int = 800


def edit_a_draft(page: Page) -> None:
    page.goto("/bank/trees/zero-stages/")
    page.get_by_role("button", name="New draft").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    chosen = page.get_by_role("treeitem").nth(3)
    chosen.click()
    page.locator(f"#probe-form[data-probe='{chosen.get_attribute('data-key')}']").wait_for()


def read_own_card(page: Page) -> None:
    page.goto("/interviews/")
    page.get_by_role("link", name="Scorecard").first.click()
    page.get_by_role("heading", name="Three dimensions").wait_for()


def open_a_panel_card(page: Page) -> None:
    page.goto("/positions/")
    for name in ("Engineer, training systems", "Noor Haddad", "Panel scorecard"):
        page.get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name="Boundary map").wait_for()


PICTURES_TO_TAKE = (
    Picture("bank-list", "curator", lambda page: page.goto("/bank/")),
    Picture("bank-tree", "curator", lambda page: page.goto("/bank/trees/data-parallel-training/")),
    Picture("bank-editor", "curator", edit_a_draft),
    Picture("scorecard", "lead", read_own_card, height=720),
    Picture("panel-card", "manager", open_a_panel_card, height=1560),
)


def main(names: Sequence[str]) -> int:
    chosen = [picture for picture in PICTURES_TO_TAKE if not names or picture.name in names]
    PICTURES.mkdir(exist_ok=True)
    password = secrets.token_urlsafe(12)
    with demo(password) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=chromium.CHROMIUM_ARGS)
        for picture in chosen:
            take(browser, address, password, picture)
            sys.stdout.write(f"docs/images/{picture.name}.png\n")
        browser.close()
    return 0


@contextmanager
def demo(password: str) -> Iterator[str]:
    """Run a demo with a folder and a port of its own; yield its address once it is well."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="sounding-pictures-") as folder:
        os.chmod(folder, 0o711)  # noqa: S103 - the database's user must pass through
        process = subprocess.Popen(
            [sys.executable, "-m", "config.supervisor", "demo"],
            cwd=ROOT,
            env={**os.environ, "VAR": f"{folder}/var", "PORT": str(port), "DEMO_PASSWORD": password},
            stdout=sys.stderr,
        )
        try:
            wait_until_well(f"http://127.0.0.1:{port}/healthz", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def wait_until_well(address: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - our own server
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.2)  # between looks
        else:
            return
    raise SystemExit(f"the demo ended with {process.returncode}")


def take(browser: Browser, address: str, password: str, picture: Picture) -> None:
    context = browser.new_context(
        base_url=address, viewport={"width": picture.width, "height": picture.height}, color_scheme="light",
        locale="en-GB", timezone_id="Europe/Berlin", device_scale_factor=1,
    )  # fmt: skip
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").fill(f"{picture.who}@demo.example")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()
    picture.go(page)
    page.wait_for_load_state()
    page.evaluate("() => document.fonts.ready")
    page.screenshot(path=PICTURES / f"{picture.name}.png", animations="disabled", caret="hide")
    context.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
