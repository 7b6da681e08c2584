"""Which files an import reads, and what it says of those that it can't."""

from __future__ import annotations

from pathlib import Path

import pytest

from questionbank.exchange.files import read_paths
from questionbank.exchange.nodes import MAX_BYTES
from tests.questionbank.outlines import SOURCE

pytestmark = pytest.mark.unit


def test_read_paths_takes_folders_in_order_and_each_file_once(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "sub/c.YAML", ".hidden.yaml", ".git/d.yaml", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SOURCE, encoding="utf-8")

    readings = read_paths([tmp_path, tmp_path / "b.yaml"])

    assert [Path(reading.file).name for reading in readings] == ["a.yml", "b.yaml", "c.YAML"]
    assert all(reading.tree for reading in readings)


def test_read_paths_says_what_can_not_be_opened(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "large.yaml").write_bytes(b"#" * (MAX_BYTES + 7))

    readings = read_paths([tmp_path / "absent.yaml", tmp_path / "empty", tmp_path / "large.yaml"])

    assert [reading.problems[0].code for reading in readings] == ["unreadable", "no_files", "too_large"]
    assert str(readings[0].problems[0]).endswith(
        "can't be read: No such file or directory. Check the path and its rights."
    )
    assert readings[2].problems[0].values["size"] == MAX_BYTES + 7


def test_read_paths_says_what_is_no_path(tmp_path: Path) -> None:
    circle = tmp_path / "loop.yaml"
    circle.symlink_to(circle)

    readings = read_paths([circle, tmp_path / ("x" * 300 + ".yaml"), tmp_path])

    assert [str(reading.problems[0]).split("read: ")[-1] for reading in readings[:2]] == [
        "Too many levels of symbolic links. Check the path and its rights.",
        "File name too long. Check the path and its rights.",
    ]
    assert [reading.problems[0].code for reading in readings[2:]] == ["no_files"]
