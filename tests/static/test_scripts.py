"""Imports point down, siblings don't know each other, files stay small, script holds no words."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
JS = ROOT / "static" / "js"
VENDOR = ROOT / "static" / "vendor"
MODULES = sorted(JS.rglob("*.js"))
IMPORT = re.compile(
    r"""^\s*(?:import|export)\s+(?:[\w*{},\s$]+\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']""",
    re.MULTILINE,
)
# Who may import whom. The entries (js/*.js) join everything; only the platform knows vendored code.
MAY = {
    "core": {"core"},
    "platform": {"core", "vendor"},
    "room": {"core", "platform"},
    "elements": {"core", "platform"},
    "bank": {"core", "platform"},
    "entry": {"core", "platform", "room", "elements", "bank"},
}
SIBLINGS_MAY = {"core"}
MOST_LINES = 300


def name(path: Path) -> str:
    return str(path.relative_to(JS))


def layer(path: Path) -> str:
    if VENDOR in path.parents:
        return "vendor"
    return path.parent.name if path.parent != JS else "entry"


def imports(path: Path) -> list[Path]:
    text = path.read_text(encoding="utf-8")
    found = [first or second for first, second in IMPORT.findall(text)]
    return [(path.parent / one).resolve() for one in found]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_point_down(path: Path) -> None:
    own = layer(path)
    wrong = [
        target.name
        for target in imports(path)
        if layer(target) not in MAY[own] or (layer(target) == own and own not in SIBLINGS_MAY)
    ]

    assert wrong == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_exist_and_are_relative(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert [one for pair in IMPORT.findall(text) for one in pair if one and not one.startswith(".")] == []
    assert [target for target in imports(path) if not target.is_file()] == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_script_stays_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_pure_modules_touch_no_browser() -> None:
    browser = re.compile(r"\b(?:document|window|localStorage|indexedDB|fetch|WebSocket|navigator|setTimeout)\b")
    found = {
        path.name: browser.findall(re.sub(r"//.*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
        for path in (JS / "core").glob("*.js")
    }

    assert {key: value for key, value in found.items() if value} == {}


FORBIDDEN = {
    "innerHTML": {"platform/swap.js", "elements/key-legend.js"},  # one parses fragments, the other compares its own
    "outerHTML =": set(),
    "insertAdjacentHTML": set(),
    "document.write": set(),
    "eval(": set(),
    "new Function": set(),
    "navigator.onLine": set(),
    ".style.cssText": set(),
}


@pytest.mark.parametrize("word", FORBIDDEN)
def test_script_avoids(word: str) -> None:
    users = {name(path) for path in MODULES if word in path.read_text(encoding="utf-8")}

    assert users - FORBIDDEN[word] == set()


def test_script_holds_no_sentence() -> None:
    """A string of three words and more is something a person reads, and that is the server's to say."""
    sentence = re.compile(r"""(["'`])([A-Z][a-z']+ [a-z]+ [a-z][^"'`]*)\1""")
    found = {
        name(path): [match[1] for match in sentence.findall(re.sub(r"//.*|/\*.*?\*/", "", text, flags=re.DOTALL))]
        for path in MODULES
        if (text := path.read_text(encoding="utf-8"))
    }

    assert {key: value for key, value in found.items() if value} == {}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_script_holds_no_text_of_several_lines(path: Path) -> None:
    """Such a text would lose its indents, and what looks like a comment, on the way (config/static_files.py)."""
    lines = re.sub(r"(?m)^\s*(?://.*|/\*\*.*|\*.*)$", "", path.read_text(encoding="utf-8")).splitlines()

    assert [line for line in lines if line.count("`") % 2] == []


def test_vendored_files_are_what_the_list_says() -> None:
    listed = dict(
        re.findall(r"\| `([\w.-]+\.js)` \|.*`([0-9a-f]{64})`", (VENDOR / "README.md").read_text(encoding="utf-8"))
    )
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")}

    assert found == listed
