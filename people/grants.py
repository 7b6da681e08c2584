"""What the application's database role may do: read and write rows, but neither change tables nor rewrite history.

Each app lists the tables that only ever gain rows in its module `append_only`: `APPEND_ONLY: tuple[str, ...]`. Triggers
guard them too; the role makes sure that the application could not drop the trigger first.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

KEPT_BY_MIGRATE = ("django_migrations",)


class UnknownTable(Exception):
    """An app lists a table as append-only that isn't in the database."""


def append_only_tables() -> tuple[str, ...]:
    """Return the tables that every installed app names in its `append_only` module."""
    tables: list[str] = []
    for app in apps.get_app_configs():
        if find_spec(f"{app.name}.append_only"):
            tables += import_module(f"{app.name}.append_only").APPEND_ONLY
    return tuple(tables)


def application_role() -> str:
    return unquote(urlsplit(settings.DATABASE_URL).username or "")


def owner_role() -> str:
    return unquote(urlsplit(settings.DATABASE_OWNER_URL).username or "")


def apply(connection: BaseDatabaseWrapper, role: str) -> None:
    """Give the role its rights on every table of the connection's database, in one transaction. Run as the owner."""
    append_only = append_only_tables()
    existing = set(connection.introspection.table_names())
    if missing := sorted(set(append_only) - existing):
        raise UnknownTable(f"listed as append-only, but not in the database: {', '.join(missing)}. Run migrate first.")
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for statement in statements(role, append_only, existing, database=connection.settings_dict["NAME"]):
            cursor.execute(statement)


def statements(role: str, append_only: Iterable[str], existing: Iterable[str], *, database: str) -> list[sql.Composed]:
    """Return the SQL that brings the role's rights to what they should be, whatever they were. Idempotent."""
    who = sql.Identifier(role)
    found = [
        sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(who),
        # A temporary table could stand in for one of ours wherever a name is looked up; the product makes none.
        sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC, {}").format(sql.Identifier(database), who),
        sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}").format(who),
        sql.SQL("REVOKE TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA public FROM {}").format(who),
        sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}").format(who),
        # Tables made later are open for reading and adding at once; for changing only after the next grant, which
        # knows whether they are append-only.
        sql.SQL("ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT ON TABLES TO {}").format(who),
        sql.SQL("ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {}").format(who),
    ]
    found += [
        sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {} FROM {}").format(sql.Identifier(table), who)
        for table in append_only
    ]
    found += [
        sql.SQL("REVOKE INSERT, UPDATE, DELETE ON {} FROM {}").format(sql.Identifier(table), who)
        for table in KEPT_BY_MIGRATE
        if table in set(existing)
    ]
    return found
