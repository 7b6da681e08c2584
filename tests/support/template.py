"""One migrated database for a whole run, with the application's rights: who needs a database copies it.

Migrating takes ten times as long as copying, and a run needs many databases: one for each test process, one for each
benchmark. Only on servers of the run's own: on others a database of an older run could stand under this name.

`python -m tests.support.template` makes it ahead, while other tests run.
"""

from __future__ import annotations

import os
from importlib import import_module

import psycopg
from psycopg import sql

from tests.support import servers

NAME = "sounding_template"


def use() -> None:
    """Have Django copy its next test database from the template, which is made if this process is the first."""
    if not servers.own():
        return
    _ensure()
    # Nothing is left to migrate in a copy, and to find that out would take as long as to copy it.
    import_module("django.db").connection.settings_dict["TEST"].update(TEMPLATE=NAME, MIGRATE=False)


def _ensure() -> None:
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(1)")  # until the connection ends
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s AND datistemplate", [NAME]).fetchone():
            return
        name = sql.Identifier(NAME)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))  # of a process that was ended
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        _fill()
        connection.execute(sql.SQL("ALTER DATABASE {} IS_TEMPLATE true").format(name))


def _fill() -> None:
    connection = import_module("django.db").connection
    grants = import_module("people.grants")
    named = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = NAME
    try:
        import_module("django.core.management").call_command("migrate", verbosity=0)
        grants.apply(connection, grants.application_role())
    finally:
        connection.close()  # a database with connections can't be copied
        connection.settings_dict["NAME"] = named


if __name__ == "__main__":
    servers.start()
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import_module("django").setup()
    use()
