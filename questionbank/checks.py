"""Whether the database can find words as we ask it to: told by `manage.py check --database default` and by doctor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError, connection

from people import doctor
from people.doctor import Finding, Level

NO_PACKAGE = "Install PostgreSQL's contrib modules on the database's server, then manage.py migrate."
NO_EXTENSION = "manage.py migrate (the owner of the database may create it), then manage.py grant"
WRONG_LOCALE = (
    "Dump the database, make it anew with LOCALE 'C.UTF-8' (docs/operations.md), restore. Until then words of three "
    "letters and more are not found, nor near-duplicates."
)


class Cursor(Protocol):
    def execute(self, query: Any, params: Any = ...) -> Any: ...

    def fetchone(self) -> Any: ...


def trouble(cursor: Cursor) -> tuple[str, str] | None:
    """Return (what is wrong, what to do) with searching in the database of this cursor, or None."""
    cursor.execute(
        "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'), "
        "EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm')"
    )
    created, available = cursor.fetchone()
    if not created:
        return "the extension pg_trgm is missing", NO_EXTENSION if available else NO_PACKAGE
    # Under LC_CTYPE C only ASCII letters are letters: Han gives no trigram at all.
    cursor.execute(
        "SELECT cardinality(show_trgm('数据')), lower('Ä') = 'ä', datctype FROM pg_database "
        "WHERE datname = current_database()"
    )
    trigrams, lowers, locale = cursor.fetchone()
    if not trigrams or not lowers:
        return f"PostgreSQL takes only ASCII for letters here (LC_CTYPE {locale})", WRONG_LOCALE
    return None


def check_search(app_configs: object, databases: Sequence[str] | None = None, **options: object) -> list[CheckMessage]:
    """Warn and no more: migrate runs this too, and it is what creates the extension."""
    if not databases:
        return []
    try:
        with connection.cursor() as cursor:
            found = trouble(cursor)
    except DatabaseError:
        return []  # no database: others say so
    return [Warning(f"Search: {found[0]}.", hint=found[1], id="questionbank.W001")] if found else []


def doctor_search() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        found = trouble(cursor)
    if found:
        yield Finding("search", Level.BAD, *found)
    else:
        yield Finding("search", Level.OK, "finds words in English and Chinese")


register(check_search, Tags.database)
doctor.database_checks.append(doctor_search)
