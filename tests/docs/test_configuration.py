"""docs/configuration.md knows every variable of the environment that the code reads."""

from __future__ import annotations

import re

import pytest

from tests.docs.markdown import ROOT, codes, read, rows

pytestmark = pytest.mark.unit

READS = (
    re.compile(r'\benv\.(?:text|boolean|integer|words)\(\s*"([A-Z_]+)"'),
    re.compile(r'\benviron(?:\.(?:get|pop|setdefault))?[(\[]\s*"([A-Z_]+)"'),
)
SHELL = re.compile(r"\$\{([A-Z_]+)[:}]|\$\(([A-Z]+)\)")
OURS = {"PY"}  # the Makefile's own


def read_in_code() -> set[str]:
    found: set[str] = set()
    folders = ("config", "people", "questionbank", "interviews", "scoring", "tests/support")
    for path in [ROOT / "manage.py", *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]:
        text = path.read_text(encoding="utf-8")
        found |= {name for pattern in READS for name in pattern.findall(text)}
    for path in (ROOT / "Makefile", ROOT / "requirements/install"):
        found |= {name for pair in SHELL.findall(path.read_text(encoding="utf-8")) for name in pair if name}
    return found - OURS


def told() -> set[str]:
    return {name for row in rows(read("docs/configuration.md")) for name in codes(row[0])}


def test_every_variable_that_is_read_has_a_row() -> None:
    assert {"VAR", "DATABASE_URL", "PYTHON", "ARGS"} <= read_in_code()
    assert read_in_code() - told() == set()


def test_no_row_is_about_a_variable_that_nothing_reads() -> None:
    handed_on = {"PATH", "LD_LIBRARY_PATH"}  # read by a loop over names
    assert told() - read_in_code() - handed_on == set()
