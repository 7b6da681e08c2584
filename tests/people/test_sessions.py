"""Whose a request is: read by queries composed once, and answered as Django's own store and backend answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from people.backends import PersonBackend
from people.models import Person
from people.sessions import SessionStore
from tests.cast import Cast
from tests.support.web import session_of

pytestmark = pytest.mark.db


def whose(key: str) -> object:
    request = HttpRequest()
    request.session = SessionStore(key)
    return get_user(request)


def test_a_session_is_its_persons_until_it_expires(cast: Cast) -> None:
    key = session_of(cast.ana)
    assert whose(key) == cast.ana
    assert SessionStore(key).load() == db.SessionStore(key).load() != {}

    Session.objects.filter(session_key=key).update(expire_date=timezone.now() - timedelta(seconds=1))

    assert not isinstance(whose(key), Person)
    assert SessionStore(key).load() == db.SessionStore(key).load() == {}


@pytest.mark.parametrize("key", [None, "", "unknown-but-of-usual-length-00000"])
def test_no_session_keeps_no_key_that_a_browser_made_up(key: str | None, cast: Cast) -> None:
    ours, theirs = SessionStore(key), db.SessionStore(key)

    assert ours.load() == theirs.load() == {}
    assert ours.session_key is theirs.session_key is None


def test_who_left_is_nobody(cast: Cast) -> None:
    for person in (cast.ana, cast.fay):
        assert PersonBackend().get_user(person.pk) == ModelBackend().get_user(person.pk)
    assert PersonBackend().get_user(cast.fay.pk) is None
    assert PersonBackend().get_user(-1) is None


def test_who_is_signed_in_is_read_anew_each_time(cast: Cast) -> None:
    key = session_of(cast.bo)
    assert whose(key) == cast.bo

    Person.objects.filter(pk=cast.bo.pk).update(name="Bohdan")
    found = whose(key)
    assert isinstance(found, Person)
    assert found.name == "Bohdan"

    Person.objects.filter(pk=cast.bo.pk).update(is_active=False)
    assert not isinstance(whose(key), Person)
