"""Static files: one address per content, compressed on the way; pages are not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.test import RequestFactory

from config.static_digest import digest
from config.static_files import CompressStatic, lean

pytestmark = pytest.mark.unit

ACCEPTS = {"HTTP_ACCEPT_ENCODING": "gzip, br"}


def test_digest_follows_names_and_contents_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("1")
    first = digest([tmp_path], "2.0")

    assert digest([tmp_path], "2.0") == first
    assert digest([tmp_path], "2.1") != first
    (tmp_path / "one.js").write_text("2")
    second = digest([tmp_path], "2.0")
    (tmp_path / "one.js").rename(tmp_path / "two.js")
    assert len({first, second, digest([tmp_path], "2.0")}) == 3


def test_addresses_of_static_files_hold_the_digest() -> None:
    assert staticfiles_storage.url("js/room.js") == f"{settings.STATIC_URL}js/room.js"
    assert len(settings.STATIC_URL.split("/")[2]) == 12


@pytest.mark.parametrize(
    ("method", "path", "kind", "compressed"),
    [
        ("get", f"{settings.STATIC_URL}js/room.js", "text/javascript", True),
        ("get", f"{settings.STATIC_URL}brand.svg", "image/svg+xml", True),
        ("get", f"{settings.STATIC_URL}photo.png", "image/png", False),
        ("head", f"{settings.STATIC_URL}js/room.js", "text/javascript", False),
        ("get", "/interviews/", "text/html", False),
    ],
)
def test_static_texts_go_out_compressed(method: str, path: str, kind: str, compressed: bool) -> None:
    body = b"const words = 1;\n" * 100
    request = getattr(RequestFactory(), method)(path, **ACCEPTS)

    answer = CompressStatic(lambda _request: HttpResponse(body, content_type=kind))(request)

    assert (answer.get("Content-Encoding") == "gzip") == compressed
    assert (gzip.decompress(answer.content) if compressed else answer.content) == body


def test_scripts_lose_comments_and_indents_and_keep_their_lines() -> None:
    script = """// What this is for.
import { one } from "./one.js"; // stays

/**
 * Of several lines.
 */
export function two() {
  // Why.
  return one("https://x/"); /* stays too */
}
"""
    bare = """
import { one } from "./one.js"; // stays




export function two() {

return one("https://x/"); /* stays too */
}
"""

    assert lean(script) == bare
