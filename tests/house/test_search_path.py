"""No guard can be answered for by a temporary table: functions have a search path, and the role makes no such table."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import connection

from questionbank.models import Probe
from tests.support.factories import make_tree

pytestmark = pytest.mark.db


def test_every_function_of_ours_has_a_search_path_of_its_own(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS "
            "(SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e') ORDER BY 1"  # of an extension
        )
        ours = cursor.fetchall()
    assert len(ours) >= 9
    assert {name for name, config in ours if config != ["search_path=pg_catalog, public, pg_temp"]} == set()


def test_the_application_makes_no_temporary_table(as_application: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_application.execute("CREATE TEMP TABLE questionbank_versionstatus (version_id bigint, state text)")


def test_a_temporary_table_does_not_answer_for_ours(transactional_db: None) -> None:
    """Also for the owner, who may make one."""
    version = make_tree("data-parallel")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE questionbank_versionstatus (version_id bigint, state text)")
        try:
            with pytest.raises(Exception, match="published version"):
                cursor.execute("UPDATE questionbank_probe SET minutes = 99 WHERE version_id = %s", [version.pk])
        finally:
            cursor.execute("DROP TABLE pg_temp.questionbank_versionstatus")
    assert not Probe.objects.filter(minutes=99).exists()
