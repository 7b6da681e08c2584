"""`manage.py` where something is missing: one line that helps, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.support.servers import on_database, process_environment

pytestmark = pytest.mark.db

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def empty() -> Iterator[str]:
    """A database with nothing in it."""
    name = f"empty_{os.getpid()}"
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield name
        owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_without_tables_a_command_says_which_commands_make_them(empty: str) -> None:
    env = process_environment(empty)
    assert env["DATABASE_URL"] == on_database(os.environ["DATABASE_URL"], empty)

    done = subprocess.run(
        [sys.executable, "manage.py", "demo_organisation"], cwd=ROOT, env=env, capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "A table is missing in the database. Run `manage.py migrate`, then `manage.py grant`, and try again."
    ]
