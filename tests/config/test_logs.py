"""Logs hold no secret address."""

from __future__ import annotations

import logging

import pytest

from config.logs import HideSecrets, hide_secrets

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
