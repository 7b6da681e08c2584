"""What holds for every page of the documentation: links lead somewhere, paths exist, nothing names a registry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring.demo.people import PEOPLE
from tests.docs.markdown import ROOT, anchors, codes, links, pages, prose, read, rows, section

pytestmark = pytest.mark.unit

# Written in parts, so that this file may be searched too.
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("jsdelivr", "net"),
        ("unpkg", "com"),
        ("cdnjs", "cloudflare", "com"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
        ("docker", "io"),
        ("deb", "debian", "org"),
    )
)
FOLDERS = "config|people|questionbank|interviews|scoring|static|templates|tests|requirements|docs|\\.ci"
OURS = re.compile(rf"^({FOLDERS})/[^\s<…]*$")
NAMES = [str(page.relative_to(ROOT)) for page in pages()]


def test_there_is_something_to_check() -> None:
    assert {"README.md", "CHANGELOG.md", "docs/architecture.md", "docs/realtime.md"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_to_a_file_and_a_heading_that_exist(name: str) -> None:
    page, broken = ROOT / name, []
    for link in links(page.read_text(encoding="utf-8")):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _hash, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        known = target.exists() and target.is_relative_to(ROOT)
        if not known or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("name", NAMES)
def test_files_and_folders_that_are_named_exist(name: str) -> None:
    named = {code for code in codes(prose((ROOT / name).read_text(encoding="utf-8"))) if OURS.match(code)}
    assert {code for code in named if not list(ROOT.glob(code.partition("#")[0].rstrip("/")))} == set()


@pytest.mark.parametrize("name", NAMES)
def test_pages_name_no_registry(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8").lower()
    assert [host for host in REGISTRIES if host in text] == []


def test_every_decision_is_in_the_index_with_its_title() -> None:
    folder = ROOT / "docs/decisions"
    told = {re.search(r"\(([^)]+)\)", row[0])[1]: row[1] for row in rows(read("docs/decisions/README.md"))}  # type: ignore[index]
    known = {path.name: _title(path) for path in folder.glob("[0-9]*.md")}
    assert told == known
    assert sorted(name[:4] for name in known) == [f"{number:04d}" for number in range(1, len(known) + 1)]


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].partition(". ")[2]


def test_readme_names_the_people_of_the_demo() -> None:
    told = {(row[0], codes(row[1])[0]) for row in rows(section(read("README.md"), "Who can sign in to the demo"))}
    assert told == {(person.name, person.email) for person in PEOPLE}


def test_licence_is_the_one_the_project_names() -> None:
    assert 'license = { text = "Apache-2.0" }' in read("pyproject.toml")
    assert "Apache License" in read("LICENSE")
