"""Logs hold no secret address."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import pytest

from config.logs import HideSecrets, JsonLines, hide_secrets

pytestmark = pytest.mark.unit


def test_logs_hide_the_secret_of_a_link() -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 1, "Gone: %s", ("/c/abc_DEF-123/",), None)

    assert HideSecrets().filter(record)

    assert record.getMessage() == "Gone: /c/…/"
    assert hide_secrets("GET /c/room/0b9e/ 200") == "GET /c/room/0b9e/ 200"
    assert hide_secrets("/accounts/password/reset/key/1-abc/") == "/accounts/password/reset/key/…/"


def test_every_console_of_ours_hides_secrets() -> None:
    handlers = logging.getLogger().handlers

    consoles = [one for one in handlers if type(one) is logging.StreamHandler]
    assert consoles
    assert all(any(isinstance(one, HideSecrets) for one in handler.filters) for handler in consoles)


def test_json_lines_say_what_was_said_besides_the_words_and_name_objects_by_type() -> None:
    record = logging.getLogger("sounding.commands").makeRecord(
        "sounding.commands",
        logging.INFO,
        "x.py",
        1,
        "refused: %s",
        ("stale",),
        None,
        extra={"seq": 7, "request": Path()},
    )

    line = json.loads(JsonLines().format(record))

    assert line.pop("at").endswith("Z")
    assert line == {
        "level": "INFO",
        "logger": "sounding.commands",
        "message": "refused: stale",
        "seq": 7,
        "request": type(Path()).__name__,
    }


def test_json_lines_keep_one_line_for_an_exception_and_hide_secrets_in_it() -> None:
    try:
        raise ValueError("no such link: /c/abc_DEF-123/")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", (), sys.exc_info())

    text = JsonLines().format(record)

    assert "\n" not in text
    assert "/c/…/" in json.loads(text)["exception"]
    assert "abc_DEF" not in text
