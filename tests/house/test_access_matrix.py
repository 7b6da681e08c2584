"""Who gets which answer from which address, by which method: the whole URLconf against tests/house/routes.py."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from interviews.enums import InterviewStatus
from tests.cast import Cast
from tests.house.people import client_of, furnish
from tests.house.routes import EVERYBODY, ROUTES, Route, walk
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def by_pattern(route: Route) -> str:
    return route.pattern or "home"


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return furnish(make_scene(cast, status=InterviewStatus.LIVE))


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert sorted((route.pattern, route.name) for route in ROUTES) == sorted(walk())


@pytest.mark.parametrize("route", ROUTES, ids=by_pattern)
def test_each_answers_each_as_the_table_says(scene: Scene, route: Route) -> None:
    url = route.url(scene)

    for method, expected in route.answers.items():
        answers = {who: ask(client_of(who, scene), method, url) for who in EVERYBODY.split()}
        assert answers == dict(expected), method


@pytest.mark.parametrize("route", ROUTES, ids=by_pattern)
def test_no_other_method_is_answered(scene: Scene, route: Route) -> None:
    url = route.url(scene)
    allowed = next(who for answers in route.answers.values() for who, status in answers.items() if status != "login")

    for method in sorted(set(METHODS) - set(route.answers)):
        assert ask(client_of(allowed, scene), method, url) == 405, method


@pytest.mark.parametrize("route", [route for route in ROUTES if "POST" in route.answers], ids=by_pattern)
def test_nothing_is_sent_without_the_pages_own_token(scene: Scene, route: Route) -> None:
    for who, status in route.answers["POST"].items():
        if status != "login":
            response = client_of(who, scene, enforce_csrf_checks=True).post(route.url(scene), {"token": "none"})
            assert (response.status_code, "The form was too old" in response.content.decode()) == (403, True), who


def ask(client: Client, method: str, url: str) -> int | str:
    """Send an empty request and take back what it did; `login` for the way to the sign-in page."""
    with transaction.atomic():
        response: HttpResponse = client.generic(method, url)  # type: ignore[assignment]
        transaction.set_rollback(True)
    where = urlsplit(response.headers.get("Location", "")).path
    return "login" if response.status_code == 302 and where == "/accounts/login/" else response.status_code
