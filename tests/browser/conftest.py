"""A browser, and a small site for pages that need no server of ours: static files, drawn templates, the real policy."""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import django_htmx
import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.editor_page import clocks, curators, editor
from tests.browser.rooms import enter, kept_pages, own_web, pages, scene
from tests.support.chromium import CHROMIUM_ARGS
from tests.support.chromium import path as where_chromium_is

# Fixtures that live elsewhere.
__all__ = ["clocks", "curators", "editor", "enter", "kept_pages", "own_web", "pages", "scene"]

ROOT = Path(__file__).resolve().parents[2]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}
STATIC = [ROOT / "static", Path(django_htmx.__file__).parent / "static"]


class Site:
    """Pages by path, and the project's files below /static/."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.pages: dict[str, str] = {}

    def put(self, path: str, html: str) -> str:
        self.pages[path] = html
        return self.address + path


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64  # a page asks for sixty scripts at once; with five, others wait for the next second


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, pages: dict[str, str], *args: object) -> None:
        self.pages = pages
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path in self.pages:
            self._answer(200, "text/html; charset=utf-8", self.pages[path].encode())
            return
        for folder in STATIC:
            file = (folder / path.removeprefix(settings.STATIC_URL).removeprefix("/static/")).resolve()
            if path.startswith("/static/") and file.is_file() and folder in file.parents:
                self._answer(200, TYPES.get(file.suffix, "application/octet-stream"), file.read_bytes())
                return
        self._answer(204 if path == "/favicon.ico" else 404, "text/plain", b"")

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a test's output is its failures."""


@contextmanager
def started_browser() -> Iterator[Browser]:
    program = where_chromium_is()
    expect.set_options(timeout=20_000)  # how long a busy machine may take; a passing test does not wait for it
    # Playwright's loop runs beside the test in the same thread, and Django would take the test for a coroutine.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def served() -> Iterator[Site]:
    """One server for all tests: taking one down waits for its next look around, half a second."""
    pages: dict[str, str] = {}
    server = _Server(("127.0.0.1", 0), functools.partial(_Handler, pages))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    site = Site(f"http://127.0.0.1:{server.server_port}")
    site.pages = pages
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def site(served: Site) -> Site:
    served.pages.clear()  # not afterwards: a page that is still open may want something more
    return served


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB", timezone_id="UTC")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails its test when its script throws or its policy is broken."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert faults == []
