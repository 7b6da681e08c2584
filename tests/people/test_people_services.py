"""Accounts: what changing one keeps true."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from pytest_django import DjangoCaptureOnCommitCallbacks

from people import lifecycle
from people.enums import PersonRole, Theme
from people.models import AuditEntry, Person
from people.refusal import Refused
from people.services.people import (
    AddressTaken,
    LastAdministrator,
    change_person,
    change_preferences,
    create_person,
    make_password_link,
)
from tests.cast import Cast

pytestmark = pytest.mark.db


def as_is(person: Person, **changes: Any) -> dict[str, Any]:
    fields = ("email", "name", "roles", "language", "time_zone", "is_active")
    return {**{name: getattr(person, name) for name in fields}, **changes}


def test_create_person_makes_an_account_without_a_password(cast: Cast) -> None:
    person = create_person(
        by=cast.ada,
        email="New@Sounding.example",
        name="New",
        roles=[PersonRole.OBSERVER],
        language="zh-hans",
        time_zone="Asia/Shanghai",
    )

    assert person.email == "new@sounding.example"
    assert not person.has_usable_password()
    assert AuditEntry.objects.get(action="person.created").object_id == str(person.pk)


def test_create_person_refuses_an_address_in_any_case(cast: Cast) -> None:
    with pytest.raises(AddressTaken, match="Bo has an account") as refused:
        create_person(by=cast.ada, email="BO@sounding.example", name="Bob", roles=[], language="en", time_zone="UTC")

    assert refused.value.field == "email"
    assert not Person.objects.filter(name="Bob").exists()


def test_change_person_refuses_an_address_taken_by_another(cast: Cast) -> None:
    with pytest.raises(AddressTaken):
        change_person(person=cast.bo, by=cast.ada, **as_is(cast.bo, email=cast.ana.email))

    cast.bo.refresh_from_db()
    assert cast.bo.email == "bo@sounding.example"


def test_change_person_closes_the_old_address(cast: Cast) -> None:
    EmailAddress.objects.create(user=cast.bo, email=cast.bo.email, verified=True, primary=True)

    change_person(person=cast.bo, by=cast.ada, **as_is(cast.bo, email="bo@elsewhere.example"))

    assert not EmailAddress.objects.filter(user=cast.bo).exists()


@pytest.mark.parametrize("changes", [{"is_active": False}, {"roles": [PersonRole.MANAGER]}])
def test_change_person_keeps_the_last_administrator(cast: Cast, changes: dict[str, Any]) -> None:
    with pytest.raises(LastAdministrator):
        change_person(person=cast.ada, by=cast.ada, **as_is(cast.ada, **changes))

    cast.ada.refresh_from_db()
    assert cast.ada.is_active
    assert cast.ada.is_administrator


def test_change_person_lets_one_of_two_administrators_go(cast: Cast) -> None:
    Person.objects.filter(pk=cast.mara.pk).update(roles=["administrator", "manager"])

    change_person(person=cast.ada, by=cast.ada, **as_is(cast.ada, roles=[]))

    assert not Person.objects.get(pk=cast.ada.pk).is_administrator


def test_change_person_closes_rooms_after_the_commit_when_a_right_is_lost(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    monkeypatch.setattr(lifecycle, "room_closers", [closed.append])

    with django_capture_on_commit_callbacks(execute=True):
        change_person(person=cast.bo, by=cast.ada, **as_is(cast.bo, is_active=False))
        assert closed == []
    with django_capture_on_commit_callbacks(execute=True):
        change_person(person=cast.chen, by=cast.ada, **as_is(cast.chen, name="Chen L."))

    assert closed == [cast.bo.pk]


def test_make_password_link_is_refused_for_a_closed_account(cast: Cast) -> None:
    with pytest.raises(Refused):
        make_password_link(person=cast.fay, by=cast.ada)


def test_change_preferences_keeps_all_three(cast: Cast) -> None:
    change_preferences(person=cast.bo, language="zh-hans", time_zone="Asia/Shanghai", theme=Theme.DARK)

    cast.bo.refresh_from_db()
    assert (cast.bo.language, cast.bo.time_zone, cast.bo.theme) == ("zh-hans", "Asia/Shanghai", "dark")
