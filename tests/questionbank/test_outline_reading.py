"""Outlines as readings: all sixteen kinds come into the bank, counted as their rules say, and twice changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from questionbank.exchange.files import read_bytes
from questionbank.exchange.readings import Reading
from questionbank.models import Topic
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


def notes(heading: str, question: str) -> Reading:
    return read_bytes(f"# {heading}\n\n- {question}\n".encode(), name="notes.md")


def test_topic_keeps_its_title_when_an_outline_writes_it_otherwise() -> None:
    Topic.objects.create(key="storage", title={"en": "Storage", "zh-Hans": "存储"})

    report = import_readings(
        [notes("STORAGE", "How does an index find a row?"), notes("storage", "索引怎样找到一行？")]
    )

    assert (report.trees, report.topics_added, report.topics_renamed) == (2, [], [])
    assert Topic.objects.get().title == {"en": "Storage", "zh-Hans": "存储"}


def test_outlines_that_write_a_new_topic_differently_come_in_together() -> None:
    given = [notes("Storage", "How does an index find a row?"), notes("STORAGE", "What does a page cache keep?")]

    report = import_readings([*given, notes("storage", "索引怎样找到一行？")])

    assert (report.trees, report.topics_added) == (3, ["storage"])
    assert Topic.objects.get().title == {"en": "Storage", "zh-Hans": "storage"}
