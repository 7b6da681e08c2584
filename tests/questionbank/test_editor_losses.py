"""The tree editor over HTTP: nothing that somebody else wrote meanwhile goes unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from questionbank.forms.editing import RemoveForm
from questionbank.limits import FINGERPRINT, KEY_LENGTH, MOST_PROBES
from questionbank.models import TreeVersion
from questionbank.services import editing
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


def test_branch_as_large_as_a_tree_can_be_is_removed(draft: TreeVersion) -> None:
    shown = {f"{number:03}".rjust(KEY_LENGTH, "k"): "0" * FINGERPRINT for number in range(MOST_PROBES)}
    words = " ".join(f"{key}:{fingerprint}" for key, fingerprint in shown.items())

    form = RemoveForm({"probe": "l2", "shown": words})

    assert form.is_valid(), form.errors
    assert form.cleaned_data["shown"] == shown
    assert len(editing.fingerprint(stored(draft))) == FINGERPRINT


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


def test_prompt_of_a_new_probe_is_one_that_can_be_read(draft: TreeVersion, cora: Client) -> None:
    sent = {"parent": "l2", "kind": "probe", "aims": "why"}

    unread = post(cora, "edit-add", **sent, **{"prompt.en": "\u200b"})
    turned = post(cora, "edit-add", **sent, **{"prompt.en": "What about \u202edrift?"})

    assert (unread.status_code, turned.status_code) == (422, 200)
    assert "What about drift?" in {one.prompt.get("en") for one in outline(draft).probes}
