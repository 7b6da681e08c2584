"""The test database, with the rights that a real installation gives, and a way in as the application's role."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from people import grants
from tests.support.servers import on_database, process_environment


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Make the test database as pytest-django does, then grant as `manage.py grant` does."""
    if grants.application_role() != grants.owner_role():
        with django_db_blocker.unblock():
            grants.apply(connection, grants.application_role())


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
