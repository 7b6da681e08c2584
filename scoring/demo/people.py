"""The people of the demo. They share one password, which this machine alone knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib.auth.hashers import check_password, make_password

from people.enums import PersonRole
from people.models import Person
from people.services.people import create_person

DOMAIN: Final = "demo.example"
ZONE: Final = "Europe/Berlin"


@dataclass(frozen=True, slots=True)
class DemoPerson:
    key: str
    name: str
    role: PersonRole

    @property
    def email(self) -> str:
        return f"{self.key}@{DOMAIN}"


PEOPLE: Final = (
    DemoPerson("admin", "Ines Albrecht", PersonRole.ADMINISTRATOR),
    DemoPerson("curator", "Chidi Okafor", PersonRole.CURATOR),
    DemoPerson("manager", "Mara Lindqvist", PersonRole.MANAGER),
    DemoPerson("lead", "Lena Vogt", PersonRole.INTERVIEWER),
    DemoPerson("interviewer", "Ravi Menon", PersonRole.INTERVIEWER),
    DemoPerson("interviewer2", "Sofia Marin", PersonRole.INTERVIEWER),
    DemoPerson("shadow", "Tomo Ito", PersonRole.INTERVIEWER),
    DemoPerson("observer", "Odile Brun", PersonRole.OBSERVER),
)


def prepare_people(password: str) -> dict[str, Person]:
    """Make who is missing, let all of them sign in with the password, and return them by key."""
    found = {person.email: person for person in Person.objects.filter(email__in=[one.email for one in PEOPLE])}
    for one in PEOPLE:
        if one.email not in found:
            found[one.email] = _make(one, by=found.get(PEOPLE[0].email))
    _let_in(list(found.values()), password)
    return {one.key: found[one.email] for one in PEOPLE}


def _make(one: DemoPerson, *, by: Person | None) -> Person:
    if by is None:
        return Person.objects.create_superuser(one.email, name=one.name, time_zone=ZONE, roles=[one.role])
    return create_person(by=by, email=one.email, name=one.name, roles=[one.role], language="en", time_zone=ZONE)


def _let_in(people: list[Person], password: str) -> None:
    """One hash for all: hashing is slow on purpose, and each start would wait for eight. The same one stays."""
    hashes = {person.password for person in people}
    if len(hashes) == 1 and check_password(password, hashes.pop()):
        return
    Person.objects.filter(pk__in=[person.pk for person in people]).update(password=make_password(password))
