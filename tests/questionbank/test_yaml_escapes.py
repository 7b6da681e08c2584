"""Escapes can write what a file can't contain: each is a problem with its line, never a crash."""

from __future__ import annotations

import pytest

from questionbank.exchange.yaml import read

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("value", ['"a\\0b"', '"a\\ud800b"', '"\\U00110000"', '"\\UFFFFFFFF"', '"\\x07"', '"\\uFFFE"'])
def test_what_cannot_be_stored_is_a_problem(value: str) -> None:
    result = read(f"format: 1\nkey: {value}\n".encode(), file="t.yaml")
    assert result.problems
    assert result.problems[0].file == "t.yaml"


def test_a_version_of_thousands_of_digits_is_a_problem() -> None:
    result = read(f"%YAML 1.{'1' * 5000}\n---\nkey: a\n".encode(), file="t.yaml")
    assert result.problems
