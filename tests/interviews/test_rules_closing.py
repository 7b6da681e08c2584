"""The closing checklist and the fair-time meter read their vectors; the page's twins read the same (tests/browser)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interviews.rules.closing import Open
from tests.interviews.closing_reading import as_json, read_closing
from tests.interviews.minutes_reading import read_minutes

pytestmark = pytest.mark.unit

CLOSING = json.loads(Path(__file__).with_name("closing_vectors.json").read_text(encoding="utf-8"))["cases"]
MINUTES = json.loads(Path(__file__).with_name("minutes_vectors.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CLOSING, ids=lambda case: case["name"])
def test_checklist_reads_the_vector(case: dict[str, Any]) -> None:
    assert as_json(read_closing(case["input"])) == case["expect"]


@pytest.mark.parametrize("case", MINUTES, ids=lambda case: case["name"])
def test_fair_time_reads_the_vector(case: dict[str, Any]) -> None:
    assert read_minutes(case["input"]) == case["expect"]


def test_vectors_cover_every_open_boundary_and_have_names_of_their_own() -> None:
    found = {row["why"] for case in CLOSING for row in case["expect"]["boundaries"]}

    assert found == set(Open)
    for vectors in (CLOSING, MINUTES):
        assert len({case["name"] for case in vectors}) == len(vectors)
