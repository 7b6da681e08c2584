"""Outlines as readings: all sixteen kinds come into the bank, counted as their rules say, and twice changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from questionbank.exchange.files import read_bytes
from questionbank.services.importing import import_readings

pytestmark = [pytest.mark.db, pytest.mark.django_db]

FILES = Path(__file__).resolve().parent / "outlines"
OUTLINES = sorted(path for path in FILES.iterdir() if not path.name.endswith(".expected.json"))


@pytest.mark.parametrize("path", OUTLINES, ids=lambda path: path.name)
def test_outline_comes_into_the_bank_whole_and_once(path: Path) -> None:
    expected = json.loads((FILES / f"{path.stem}.expected.json").read_text())
    reading = read_bytes(path.read_bytes(), name=path.name)

    report = import_readings([reading])

    topics = len(expected["topics"]) + any(tree["topic"] is None for tree in expected["trees"])
    probes = sum(len(tree["probes"]) for tree in expected["trees"])
    counts = (report.topics, report.trees, report.probes, report.added, report.not_placed)
    assert counts == (topics, len(expected["trees"]), probes, probes, len(expected["unplaced"]))
    assert [row.text.split() for row in reading.unplaced] == [text.split() for text in expected["unplaced"]]

    again = import_readings([read_bytes(path.read_bytes(), name=path.name)])
    assert (again.added, again.changed, again.left) == (0, 0, probes)
    assert not any(change.new or change.moved for change in again.changes)
    assert again.topics_renamed == []


def test_all_sixteen_together_are_one_import() -> None:
    assert len(OUTLINES) == 16
    report = import_readings([read_bytes(path.read_bytes(), name=path.name) for path in OUTLINES])

    assert report.trees == sum(
        len(json.loads((FILES / f"{path.stem}.expected.json").read_text())["trees"]) for path in OUTLINES
    )
