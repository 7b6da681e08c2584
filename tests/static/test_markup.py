"""What the strict policy and the house forbid in templates, found without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL)
COMMENT = re.compile(r"{% comment %}.*?{% endcomment %}", re.DOTALL)
INLINE_STYLE = re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE)
HANDLER = re.compile(r"<[a-z][^>]*\son[a-z]+\s*=", re.IGNORECASE)
SCRIPT = re.compile(r"<script\b([^>]*)>", re.IGNORECASE)
ELSEWHERE = re.compile(r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//""", re.IGNORECASE)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def markup(path: Path) -> str:
    """The template's HTML with comments and tags blanked, so that only what is sent is judged."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return TAG.sub("", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_template_keeps_to_the_policy(path: Path) -> None:
    html = markup(path)
    scripts = [attributes for attributes in SCRIPT.findall(html) if "src=" not in attributes]

    assert INLINE_STYLE.findall(html) == []
    assert HANDLER.findall(html) == []
    assert "<style" not in html.lower()
    assert scripts == []
    assert ELSEWHERE.findall(html) == []


def test_policy_checks_see_what_they_forbid() -> None:
    assert INLINE_STYLE.search('<p class="a" style="color:red">')
    assert HANDLER.search('<button type="button" onclick="go()">')
    assert not HANDLER.search('<li data-on="x" class="on">')
    assert ELSEWHERE.search('<script src="https://cdn.example/x.js">')


@pytest.mark.parametrize("path", sorted((ROOT / "templates" / "components").glob("*.html")), ids=name)
def test_component_says_what_it_reads(path: Path) -> None:
    assert "{% comment %}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((ROOT / "templates" / "interviews" / "frames").glob("*.html")), ids=name)
def test_frame_says_what_it_reads(path: Path) -> None:
    assert "{% comment %}" in path.read_text(encoding="utf-8")


# Drawn for one person, on the page and by HTTP: the only partials of the room with controls in them.
CONTROLS = {
    "lead_bar.html",
    "lead_controls.html",
    "lead_offers.html",
    "lead_prompt.html",
    "next_one.html",
    "next_probes.html",
}


@pytest.mark.parametrize("path", sorted((ROOT / "templates" / "interviews" / "frames").glob("*.html")), ids=name)
def test_pushed_frame_holds_no_control_and_no_key(path: Path) -> None:
    html = markup(path)
    found = {word for word in ("<button", "<form", "<kbd", "aria-keyshortcuts", "data-command") if word in html}

    assert found == set() if path.name not in CONTROLS else True
