"""GET /metrics: nobody's by default, then a token's bearer's, or this machine's."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.db


@pytest.fixture
def client(db: None) -> Client:
    return Client()


def test_metrics_are_off_by_default(client: Client) -> None:
    assert client.get("/metrics").status_code == 404


def test_without_a_token_they_are_this_machine_s(client: Client, settings: Any) -> None:
    settings.METRICS = True

    here = client.get("/metrics")
    assert here.status_code == 200
    assert here.headers["Content-Type"].startswith("text/plain; version=")
    assert b"python_info" in here.content
    assert client.get("/metrics", REMOTE_ADDR="10.0.0.7").status_code == 404
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Forwarded-Proto"])
def test_what_came_through_a_proxy_is_not_from_here(client: Client, settings: Any, header: str) -> None:
    settings.METRICS = True

    assert client.get("/metrics", headers={header: "10.0.0.7"}).status_code == 404


def test_a_token_is_asked_of_everybody(client: Client, settings: Any) -> None:
    settings.METRICS, settings.METRICS_TOKEN = True, "a-long-token"

    bare = client.get("/metrics")
    assert (bare.status_code, bare.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    answer = client.get("/metrics", headers={"Authorization": "Bearer a-long-token"}, REMOTE_ADDR="10.0.0.7")
    assert answer.status_code == 200
