"""The tree editor over HTTP: nothing that somebody else wrote meanwhile goes unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from questionbank.models import TreeVersion
from tests.cast import Cast
from tests.support.drafts import make_draft, outline
from tests.support.pages import as_

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def draft() -> TreeVersion:
    return make_draft()


@pytest.fixture
def cora(cast: Cast) -> Client:
    return as_(cast.cora)


def post(client: Client, view: str, **sent: str) -> Any:
    return client.post(reverse(f"questionbank:{view}", kwargs={"key": "clocks", "number": 1}), sent)


def save(client: Client, **sent: str) -> Any:
    return post(client, "edit-field", probe="l2", **sent)


def stored(version: TreeVersion, key: str = "l2") -> Any:
    return next(probe for probe in outline(version).probes if probe.key == key)


def test_undo_says_what_it_passed_over(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    save(cora, name="heard.en", was=stored(draft).branch.heard.get("en", ""), value="Names a cost")
    save(cora, name="minutes", was="3", value="5")
    save(as_(cast.ada), name="minutes", was="5", value="7")

    answer = post(cora, "edit-back", step="undo")

    assert answer.status_code == 200
    notice = BeautifulSoup(answer.content, "html.parser").select("#editor-notice")[0]
    assert "changed Minutes of l2" in str(notice["data-say"])
    assert stored(draft).minutes == 7


def test_unticked_aim_shows_anchors_that_somebody_wrote_meanwhile(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    shown = {f"anchors.why.{n}.en": f"why {n} on l2" for n in (0, 2, 4)}
    save(cora, name="anchors.why.3.en", was="", value="Cora's anchor")
    untick = {"name": "aim.why", "was": "1", "value": ""}

    stale, unread = save(as_(cast.ada), **untick, along=json.dumps(shown)), save(as_(cast.ada), **untick, along="[1")

    assert (stale.status_code, unread.status_code) == (409, 422)
    conflict = BeautifulSoup(stale.content, "html.parser").select("#conflict")[0]
    mine, theirs = [tag.get_text() for tag in conflict.select(".keep-lines")]
    assert mine == "no"
    assert "Anchor why 3, English: Cora's anchor" in theirs
    assert stored(draft).anchors["why"][3]["en"] == "Cora's anchor"
    assert save(as_(cast.ada), **untick, along=str(conflict["data-theirs"])).status_code == 200
