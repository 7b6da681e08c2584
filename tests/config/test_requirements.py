"""The locks pin and hash everything, and name no place to get it from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

FOLDER = Path(__file__).resolve().parents[2] / "requirements"


@pytest.mark.parametrize("part", ["base", "test", "dev"])
def test_locks_pin_with_hashes_and_name_no_registry(part: str) -> None:
    text = (FOLDER / f"{part}.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^[A-Za-z0-9][^\n]*(?:\n {4}--hash[^\n]*)*", text, flags=re.MULTILINE)

    assert entries
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []
    assert re.findall(r"://|--(?:extra-)?index-url|--find-links|--trusted-host", text) == []


def test_tests_build_on_the_lock_of_the_product() -> None:
    pins = {
        part: dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (FOLDER / f"{part}.txt").read_text(), flags=re.MULTILINE))
        for part in ("base", "test")
    }

    assert {name: pins["test"].get(name) for name in pins["base"]} == pins["base"]
