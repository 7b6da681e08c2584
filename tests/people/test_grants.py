"""The application's database role reads and writes rows, and cannot rewrite history or change a table."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import connection

from people import grants

pytestmark = pytest.mark.db

Connection = psycopg.Connection[Any]


def test_grants_let_the_application_write_rows(as_application: Connection) -> None:
    assert as_application.execute("SELECT current_user").fetchone() == (grants.application_role(),)
    as_application.execute("UPDATE people_person SET email = email")


def test_grants_keep_the_application_from_rewriting_history(as_application: Connection) -> None:
    tables = grants.append_only_tables()

    assert {"people_auditentry", "interviews_event", "scoring_revision"} <= set(tables)
    for table in tables:
        for statement in ("DELETE FROM {}", "TRUNCATE {}", "UPDATE {} SET id = id"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                as_application.execute(statement.format(table).encode())


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE intruder (id int)",
        "DROP TABLE people_person",
        "ALTER TABLE people_person DISABLE TRIGGER ALL",
        "DELETE FROM django_migrations",
        "CREATE ROLE intruder",
    ],
)
def test_grants_keep_the_application_from_changing_tables(as_application: Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_application.execute(statement.encode())


def test_grants_name_a_listed_table_that_is_missing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "append_only_tables", lambda: ("no_such_table",))

    with pytest.raises(grants.UnknownTable, match="no_such_table"):
        grants.apply(connection, grants.application_role())
