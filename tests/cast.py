"""The people of the tests, always the same, each with a meaning. One INSERT, no password hashed per test.

Mara manages the position of the tests; Nils manages another one and must not see hers. Ana leads, Bo and Chen
interview, Dee shadows, Eli observes. Cora keeps the bank, Ada administers. Sam has an account and no part in anything.
Fay was an interviewer and has left (inactive).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import pytest
from django.contrib.auth.hashers import make_password

from people.enums import PersonRole
from people.models import Person

PASSWORD = "a-long-way-down-to-the-seabed"
CANDIDATE_NAME = "Kim Lindqvist"


@dataclass(frozen=True)
class Cast:
    ada: Person  # administrator
    cora: Person  # curator
    mara: Person  # manager of the tests' position
    nils: Person  # manager of another one
    ana: Person  # lead
    bo: Person  # interviewer
    chen: Person  # second interviewer
    dee: Person  # shadow
    eli: Person  # observer
    sam: Person  # stranger: may interview, has no seat
    fay: Person  # has left


ROLES: dict[str, list[PersonRole]] = {
    "ada": [PersonRole.ADMINISTRATOR],
    "cora": [PersonRole.CURATOR],
    "mara": [PersonRole.MANAGER],
    "nils": [PersonRole.MANAGER],
    "ana": [PersonRole.INTERVIEWER],
    "bo": [PersonRole.INTERVIEWER],
    "chen": [PersonRole.INTERVIEWER],
    "dee": [PersonRole.INTERVIEWER],
    "eli": [PersonRole.OBSERVER],
    "sam": [PersonRole.INTERVIEWER],
    "fay": [PersonRole.INTERVIEWER],
}


@cache
def password_hash() -> str:
    return make_password(PASSWORD)


def make_cast() -> Cast:
    """Insert the cast. Everyone signs in as name@sounding.example with PASSWORD, lives in Berlin, reads English."""
    names = [field.name for field in fields(Cast)]
    people = Person.objects.bulk_create(
        Person(
            email=f"{name}@sounding.example",
            name=name.capitalize(),
            roles=[role.value for role in ROLES[name]],
            time_zone="Europe/Berlin",
            password=password_hash(),
            is_active=name != "fay",
        )
        for name in names
    )
    return Cast(**dict(zip(names, people, strict=True)))


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()
