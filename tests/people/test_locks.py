"""Advisory locks: every number in one place, and no two jobs on one."""

from __future__ import annotations

import re

import pytest

from people.locks import Lock
from tests.house.source import sources

pytestmark = pytest.mark.unit

CALL = re.compile(r"pg_(?:try_)?advisory_\w+\(([^)]*)\)\"(?:, \[([^\]]*)\])?")
TAKE_THEM = {
    "people/locks.py": {"lock.value"},
    # The clock has its own connection, which holds the lock as long as it lives.
    "config/beat.py": {"Lock.BEAT.value"},
}


def test_no_two_jobs_queue_on_one_number() -> None:
    numbers = [int(lock) for lock in Lock.__members__.values()]

    assert len(set(numbers)) == len(numbers)
    assert all(number < 2**63 for number in numbers)


def test_no_lock_is_taken_by_a_number_that_stands_elsewhere() -> None:
    found = {}
    for source in sources():
        if calls := CALL.findall(source.text):
            assert {given for given, _values in calls} == {"%s"}, source.path
            found[source.path] = {values for _given, values in calls}

    assert found == TAKE_THEM
    assert [one.path for one in sources() if "pg_advisory" in one.text and one.path not in TAKE_THEM] == []
