"""Who gets which answer from which address, by which method: the whole URLconf against tests/house/routes.py."""

from __future__ import annotations

import copy
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection, reset_queries, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from interviews.enums import InterviewStatus
from tests.cast import Cast
from tests.house.answers import EVERYBODY, Route
from tests.house.people import client_of, furnish
from tests.house.routes import ROUTES, walk
from tests.support.factories import Scene, make_scene

pytestmark = [pytest.mark.db, pytest.mark.long]

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

# What reading writes down: that somebody read a candidate's file, or took a timeline along. (Who saw whose judgements
# is written too, and nobody does here: nothing is submitted.)
WRITTEN_BY_READING = {
    "interviews:attachment": {"people_auditentry"},
    "interviews:timeline-csv": {"people_auditentry"},
    "interviews:timeline-json": {"people_auditentry"},
    "scoring:marks-csv": {"people_auditentry"},
}
# For programs, which send a token of their own: the pages' one would guard nothing there.
BY_TOKEN = {"scoring:judge-ratings"}
CHANGE = re.compile(r'^(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


@pytest.fixture
def scene(cast: Cast, settings: Any) -> Scene:
    settings.ACCOUNT_RATE_LIMITS = False  # one browser asks more often here than a person would
    return furnish(make_scene(cast, status=InterviewStatus.LIVE))


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert sorted((route.pattern, route.name) for route in ROUTES) == sorted(walk())


def test_each_answers_each_as_the_table_says_and_reading_changes_nothing(scene: Scene) -> None:
    """All addresses in front of one scene: whatever a request does is taken back. By GET nothing is written but what
    has to be written down, and the browser's own session."""
    browsers = {who: client_of(who, scene) for who in EVERYBODY.split()}
    wrong = {}
    written: dict[str, set[str]] = {}
    for route in ROUTES:
        url = route.url(scene)
        for method, expected in route.answers.items():
            reset_queries()  # only so many are kept
            with CaptureQueriesContext(connection) as captured:
                answers = {who: ask(browser, method, url) for who, browser in browsers.items()}
            if method == "GET":
                changed = {found.group(1) for query in captured if (found := CHANGE.match(query["sql"]))}
                written[route.name] = changed - {"django_session"}
            if answers != expected:
                wrong[method, route.pattern] = {
                    who: f"{answer}, not {expected[who]}" for who, answer in answers.items() if answer != expected[who]
                }

    assert wrong == {}
    assert {name: tables for name, tables in written.items() if tables} == WRITTEN_BY_READING


def test_no_other_method_is_answered(scene: Scene) -> None:
    browsers = {who: client_of(who, scene) for who in EVERYBODY.split()}
    answers = {
        (method, route.pattern): ask(browsers[_let_in(route)], method, route.url(scene))
        for route in ROUTES
        for method in sorted(set(METHODS) - set(route.answers))
    }

    assert answers == dict.fromkeys(answers, 405)
    assert len(answers) > 2 * len(ROUTES)


def _let_in(route: Route) -> str:
    """Somebody who gets as far as the view."""
    answers = [pair for row in route.answers.values() for pair in row.items() if pair[1] != "login"]
    return min(answers, key=lambda pair: pair[1] != 200)[0]


def test_nothing_is_sent_without_the_pages_own_token(scene: Scene) -> None:
    browsers = {who: client_of(who, scene, enforce_csrf_checks=True) for who in EVERYBODY.split()}
    taken = {}
    for route in ROUTES:
        for who, status in route.answers.get("POST", {}).items():
            if status == "login" or route.name in BY_TOKEN:
                continue
            response = browsers[who].post(route.url(scene), {"csrfmiddlewaretoken": "forged"})
            if response.status_code != 403 or "The form was too old" not in response.content.decode():
                taken[route.pattern, who] = response.status_code

    assert taken == {}


def ask(client: Client, method: str, url: str) -> int | str:
    """Send an empty request and take back what it did; `login` for the way to the sign-in page."""
    cookies = copy.deepcopy(client.cookies)
    with transaction.atomic():
        response: HttpResponse = client.generic(method, url)  # type: ignore[assignment]
        transaction.set_rollback(True)
    client.cookies = cookies
    where = urlsplit(response.headers.get("Location", "")).path
    return "login" if response.status_code == 302 and where == "/accounts/login/" else response.status_code
