"""The test database, with the rights that a real installation gives, and a way in as the application's role."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.test import TransactionTestCase
from psycopg import sql
from pytest_django import DjangoDbBlocker

from people import grants
from tests.support import servers, template
from tests.support.servers import on_database, process_environment

# What a migration leaves in every database.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}
PATIENCE = 60.0  # seconds for who still writes after a test


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock():
        template.use()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Make the test database as pytest-django does, then grant as `manage.py grant` does."""
    if servers.own():
        TransactionTestCase._fixture_teardown = _empty_tables  # type: ignore[method-assign]
    if grants.application_role() != grants.owner_role():
        with django_db_blocker.unblock():
            grants.apply(connection, grants.application_role())


def _empty_tables(_case: TransactionTestCase) -> None:
    """Delete all rows after a test that committed some.

    Django's way takes a quarter of a second: TRUNCATE makes new files for each of our tables and indexes, and then it
    writes the content types and permissions of the models again.
    """
    tables = sorted(set(connection.introspection.django_table_names(only_existing=True)) - KEPT)
    names = [sql.Identifier(table) for table in tables]
    deadline = time.monotonic() + PATIENCE
    while not _emptied(names):
        assert time.monotonic() < deadline, "somebody still writes"
        time.sleep(0.02)  # between looks


def _emptied(names: list[sql.Identifier]) -> bool:
    """False while somebody writes: a row that came later would be the next test's. Nothing is held meanwhile, since a
    worker in the middle of its job may want a table that was locked already, and that would be a deadlock."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE NOWAIT").format(sql.SQL(", ").join(names)))
            cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger, no foreign key
            cursor.execute(sql.SQL("; ").join(sql.SQL("DELETE FROM {}").format(name) for name in names))
    except OperationalError as error:
        if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
            raise
        return False
    return True


@pytest.fixture(scope="module")
def module_database(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A transaction around the tests of a module, for rows that are made once and stand for each of its tests.

    Each test changes them in a transaction within (`db`), which is taken back. A test that commits, or looks from
    another connection, belongs in another module.
    """
    beside = [item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)]
    assert not [item.name for item in beside if "transactional_db" in item.fixturenames]
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def as_application(transactional_db: None) -> Iterator[psycopg.Connection[Any]]:
    """A plain connection to the test database as the role that the web process uses."""
    url = on_database(os.environ["DATABASE_URL"], connection.settings_dict["NAME"])
    with psycopg.connect(url, autocommit=True) as raw:
        yield raw


@pytest.fixture
def process_env(transactional_db: None) -> dict[str, str]:
    """The environment of a process that works on the test database as the application's role."""
    return process_environment(connection.settings_dict["NAME"])
