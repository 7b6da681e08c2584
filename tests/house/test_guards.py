"""What the database itself refuses, whoever asks: rewriting history, changing what was published or submitted."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError, IntegrityError
from django.utils import timezone

from interviews.enums import TextKind
from interviews.models import Text
from people import grants
from questionbank.enums import VersionState
from questionbank.models import VersionStatus
from tests.cast import Cast
from tests.support.factories import make_scene, make_text, make_tree

pytestmark = pytest.mark.db

Connection = psycopg.Connection[Any]

UPDATE, DELETE = "UPDATE {} SET id = id", "DELETE FROM {}"


def test_the_application_cannot_rewrite_history_even_as_the_eraser(as_application: Connection) -> None:
    as_application.execute("SET sounding.eraser = 'on'")

    for table in grants.append_only_tables():
        for statement in (UPDATE, DELETE):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match=f"permission denied for table {table}"):
                as_application.execute(statement.format(table).encode())


# --- published versions ----------------------------------------------------------------------------------------------

CHANGES = {
    "tree": "UPDATE questionbank_treeversion SET misses_to_end = 9 WHERE id = {version}",
    "tree gone": "DELETE FROM questionbank_treeversion WHERE id = {version}",
    "prompt": """UPDATE questionbank_probe SET prompt = '{{"en": "?"}}' WHERE version_id = {version}""",
    "probe moved away": "UPDATE questionbank_probe SET version_id = {draft} WHERE version_id = {version}",
    "probe moved in": "UPDATE questionbank_probe SET version_id = {version} WHERE version_id = {draft}",
    "probe gone": "DELETE FROM questionbank_probe WHERE version_id = {version}",
    "signal": "UPDATE questionbank_signal SET position = 7 WHERE probe_id IN ({probes})",
    "signal gone": "DELETE FROM questionbank_signal WHERE probe_id IN ({probes})",
    "anchor": "UPDATE questionbank_anchor SET rating = 1 WHERE rating = 0 AND probe_id IN ({probes})",
    "anchor gone": "DELETE FROM questionbank_anchor WHERE probe_id IN ({probes})",
    "anchor added": "INSERT INTO questionbank_anchor (probe_id, aim, rating, text) "
    "SELECT id, 'depth', 1, '{{}}' FROM questionbank_probe WHERE version_id = {version}",
    "taken back": "UPDATE questionbank_versionstatus SET state = 'draft' WHERE version_id = {version}",
    "status gone": "DELETE FROM questionbank_versionstatus WHERE version_id = {version}",
}

# What other rows point at can't go, and what moves needs two versions: draft or not.
MORE_THAN_ONE_REASON = {"tree gone", "probe gone", "probe moved away", "probe moved in"}


@pytest.mark.parametrize("change", CHANGES)
def test_a_published_version_never_changes(db: None, change: str) -> None:
    published = make_tree("published")
    draft = make_tree("draft", state=VersionState.DRAFT)

    with pytest.raises(IntegrityError, match="published version"), transaction.atomic():
        execute(_said(change, published.pk, draft.pk))


@pytest.mark.parametrize("change", [name for name in CHANGES if name != "taken back"])
def test_a_version_in_review_does_not_change_under_the_reviewers_eyes(db: None, change: str) -> None:
    reviewed = make_tree("reviewed", state=VersionState.IN_REVIEW)
    draft = make_tree("draft", state=VersionState.DRAFT)

    with pytest.raises(IntegrityError, match="in review"), transaction.atomic():
        execute(_said(change, reviewed.pk, draft.pk))

    assert execute(_said("taken back", reviewed.pk, draft.pk)) == 1
    assert execute(_said("prompt", reviewed.pk, draft.pk)) > 0


@pytest.mark.parametrize(
    "change", [name for name in CHANGES if "moved" not in name and name not in {"tree gone", "probe gone"}]
)
def test_a_draft_may_change(db: None, change: str) -> None:
    """The statements of the test above do change something where nothing is frozen."""
    draft = make_tree("draft", state=VersionState.DRAFT)

    assert execute(_said(change, draft.pk, draft.pk)) > 0


def test_a_published_version_can_be_retired_and_says_the_same(db: None) -> None:
    published = make_tree("published")

    VersionStatus.objects.filter(version=published).update(state=VersionState.RETIRED, retired_at=timezone.now())

    with pytest.raises(IntegrityError, match="published version"), transaction.atomic():
        execute(_said("prompt", published.pk, published.pk))


def _said(change: str, version: int, draft: int) -> str:
    probes = f"SELECT id FROM questionbank_probe WHERE version_id = {version}"  # noqa: S608 - a number of our own
    return CHANGES[change].format(version=version, draft=draft, probes=probes)


# --- submitted words -------------------------------------------------------------------------------------------------


@pytest.fixture
def words(transactional_db: None, cast: Cast) -> Text:
    return submitted(cast)


def submitted(cast: Cast) -> Text:
    scene = make_scene(cast)
    return make_text(scene.application, "As submitted", kind=TextKind.SUMMARY, author=scene.bo, frozen=True)


FORGERIES = [
    "UPDATE interviews_text SET body = 'Other words' WHERE id = %s",
    "UPDATE interviews_text SET frozen = false WHERE id = %s",
    "UPDATE interviews_text SET digest = repeat('0', 64) WHERE id = %s",
    "UPDATE interviews_text SET body = NULL, erased_at = now(), digest = repeat('0', 64) WHERE id = %s",
    "UPDATE interviews_text SET body = NULL, erased_at = now(), salt = 'other' WHERE id = %s",
    "UPDATE interviews_text SET body = NULL, erased_at = now(), author_id = NULL WHERE id = %s",
    "UPDATE interviews_text SET body = NULL, erased_at = now(), frozen = false WHERE id = %s",
    "DELETE FROM interviews_text WHERE id = %s",
]


@pytest.mark.parametrize("eraser", ["off", "on"])
def test_a_submitted_text_never_changes(words: Text, as_application: Connection, eraser: str) -> None:
    """Any role can set a custom setting: saying that one is the eraser must not open the guard."""
    as_application.execute(f"SET sounding.eraser = '{eraser}'".encode())

    for forgery in FORGERIES:
        with pytest.raises(psycopg.errors.RestrictViolation, match="it can only be erased"):
            as_application.execute(forgery.encode(), [words.pk])


def test_not_even_the_owner_changes_a_submitted_text_but_as_the_eraser(db: None, cast: Cast) -> None:
    text = submitted(cast)

    for forgery in FORGERIES:
        with pytest.raises(IntegrityError, match="it can only be erased"), transaction.atomic():
            execute(forgery, text.pk)
    with transaction.atomic():
        execute("SET LOCAL sounding.eraser = 'on'")
        assert execute(FORGERIES[-1], text.pk) == 1


def test_a_submitted_text_is_erased_for_good(words: Text, as_application: Connection) -> None:
    as_application.execute("UPDATE interviews_text SET body = NULL, erased_at = now() WHERE id = %s", [words.pk])

    words.refresh_from_db()
    assert (words.body, words.erased_at is None) == (None, False)
    with pytest.raises(psycopg.errors.RestrictViolation):
        as_application.execute("UPDATE interviews_text SET body = 'Back', erased_at = NULL WHERE id = %s", [words.pk])


def test_a_text_that_is_not_submitted_can_be_written_again(words: Text, as_application: Connection) -> None:
    draft = make_text(words.application, "A draft", kind=TextKind.NOTE)

    as_application.execute("UPDATE interviews_text SET body = 'Better' WHERE id = %s", [draft.pk])

    draft.refresh_from_db()
    assert draft.body == "Better"


# --- tools -----------------------------------------------------------------------------------------------------------


def execute(statement: str, *values: object) -> int:
    """Run one statement as the owner of the tables; return the number of rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
        return int(cursor.rowcount)


def rows(table: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY id")  # noqa: S608 - a table's name from our own list
        return list(cursor.fetchall())


def test_the_owner_is_not_the_application(as_application: Connection) -> None:
    """The tests above compare two roles; make sure that they are two."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        owner = cursor.fetchone()

    assert owner != as_application.execute("SELECT current_user").fetchone()
    assert issubclass(IntegrityError, DatabaseError)
