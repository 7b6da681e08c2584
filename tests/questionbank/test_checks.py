"""A database that finds no words is told of, with what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.core.checks import Tags, run_checks
from django.db import connection

from people import doctor
from questionbank import checks
from tests.support.servers import on_database

pytestmark = pytest.mark.db

NAME = "of_the_check_of_search"


@pytest.fixture
def ascii_only(transactional_db: None) -> Iterator[psycopg.Cursor[Any]]:
    """A database as it is made under LC_ALL=C."""
    owner = os.environ["DATABASE_OWNER_URL"]
    with psycopg.connect(owner, autocommit=True) as outside:
        outside.execute(f"CREATE DATABASE {NAME} ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0")
        try:
            with psycopg.connect(on_database(owner, NAME), autocommit=True) as inside, inside.cursor() as cursor:
                yield cursor
        finally:
            outside.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def test_our_database_finds_words(db: None) -> None:
    with connection.cursor() as cursor:
        assert checks.trouble(cursor) is None
    assert [(one.part, one.level) for one in checks.doctor_search()] == [("search", doctor.Level.OK)]
    assert checks.doctor_search in doctor.database_checks
    assert run_checks(tags=[Tags.database], databases=["default"]) == []


def test_an_ascii_locale_is_told_of(ascii_only: psycopg.Cursor[Any]) -> None:
    assert checks.trouble(ascii_only) == ("the extension pg_trgm is missing", checks.NO_EXTENSION)

    ascii_only.execute("CREATE EXTENSION pg_trgm")
    ascii_only.execute("SELECT cardinality(show_trgm('数据'))")
    assert ascii_only.fetchone() == (0,)
    assert checks.trouble(ascii_only) == (
        "PostgreSQL takes only ASCII for letters here (LC_CTYPE C)", checks.WRONG_LOCALE,
    )  # fmt: skip


def test_the_check_warns_of_what_is_wrong(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "trouble", lambda cursor: ("it is broken", "mend it"))

    (warning,) = run_checks(tags=[Tags.database], databases=["default"])

    assert (warning.id, warning.msg, warning.hint) == ("questionbank.W001", "Search: it is broken.", "mend it")
    assert [one.level for one in checks.doctor_search()] == [doctor.Level.BAD]
    assert checks.check_search(None) == []
