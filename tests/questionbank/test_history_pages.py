"""The pages about what was: retiring, history, two versions compared; and the rule about reviewers."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup

from questionbank.enums import VersionState
from questionbank.models import BankRules, Probe, Signal, TreeVersion, VersionStatus
from questionbank.services.drafting import new_draft
from questionbank.services.publishing import publish, publish_unreviewed, retire, return_to_draft, send_for_review
from tests.cast import Cast
from tests.support.factories import make_tree
from tests.support.pages import as_, words

pytestmark = [pytest.mark.db, pytest.mark.django_db]

TREE = "/bank/trees/clocks/"
V1, V2 = f"{TREE}v1/", f"{TREE}v2/"


def state(number: int = 1) -> str:
    return VersionStatus.objects.get(version__tree__key="clocks", version__number=number).state


def soup(response: Any) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


# --- retiring


def test_a_tree_is_retired_with_a_reason(cast: Cast, published: TreeVersion) -> None:
    client = as_(cast.cora)
    assert "whole_tree" not in client.get(f"{V1}retire/").content.decode()
    assert client.post(f"{V1}retire/", {"reason": ""}).status_code == 422

    page = client.post(f"{V1}retire/", {"reason": "Out of date"}, follow=True)

    assert state() == VersionState.RETIRED
    assert "retired by Cora Out of date" in words(page)


def test_with_an_earlier_one_published_one_says_which_goes(cast: Cast, published: TreeVersion) -> None:
    make_tree("clocks", number=2)

    as_(cast.cora).post(f"{V2}retire/", {"reason": "Wrong", "whole_tree": "whole"})

    assert (state(1), state(2)) == (VersionState.RETIRED, VersionState.RETIRED)


# --- history and comparison


def test_history_says_who_did_what(cast: Cast, published: TreeVersion) -> None:
    said = words(as_(cast.cora).get(f"{TREE}history/"))

    steps = ("begun by Cora", "sent by Cora to Ada for review", "published by Ada", "Written by Cora")
    places = [said.index(step) for step in steps]
    assert places == sorted(places)


def test_history_says_what_was_published_without_a_review(cast: Cast, sent: TreeVersion) -> None:
    publish_unreviewed(sent, by=None)

    for reader in (cast.cora, cast.ana):
        said = words(as_(reader).get(f"{TREE}history/"))
        assert "published without a review, by import (the command line)" in said
        assert "published by" not in said


def test_readers_see_no_drafts_and_nothing_of_reviews(cast: Cast, sent: TreeVersion) -> None:
    return_to_draft(sent, by=cast.ada, reason="Sloppy")
    send_for_review(sent, reviewer=cast.ada, by=cast.cora)
    publish(sent, by=cast.ada)
    new_draft(sent.tree, cast.cora)

    said = words(as_(cast.ana).get(f"{TREE}history/"))

    assert "published by Ada" in said
    assert "Sloppy" not in said
    assert "Version 2" not in said
    assert as_(cast.ana).get(f"{TREE}compare/1/2/").status_code == 404


def test_a_retired_tree_keeps_its_history_for_readers(cast: Cast, published: TreeVersion) -> None:
    retire(published, by=cast.cora, reason="Out of date")

    page = as_(cast.ana).get(f"{TREE}history/")

    assert "retired by Cora Out of date" in words(page)
    crumb = soup(page).select(".crumbs a")[-1]["href"]
    assert (crumb, as_(cast.ana).get(str(crumb)).status_code) == (V1, 200)


def test_titles_in_sentences_are_marked_with_their_language(cast: Cast, published: TreeVersion) -> None:
    second = new_draft(published.tree, cast.cora)
    root = Probe.objects.get(version=second, parent__isnull=True)
    Probe.objects.filter(pk=root.pk).update(title={"zh-Hans": "<b>钟</b>"})
    Probe.objects.create(
        version=second, parent=root, key="new", position=50, level=2, kind="probe", aims=["depth"],
        title={"en": "New"}, prompt={"en": "What is new?"}, content_hash="0" * 64,
    )  # fmt: skip

    page = soup(as_(cast.cora).get(f"{TREE}compare/1/2/"))

    assert 'After “<span lang="zh-Hans">&lt;b&gt;钟&lt;/b&gt;</span>”.' in [
        note.decode_contents() for note in page.select(".bank-change__notes li")
    ]


def test_two_versions_are_compared_in_words(cast: Cast, published: TreeVersion) -> None:
    second = new_draft(published.tree, cast.cora)
    Probe.objects.filter(version=second, key="clock-next").update(
        minutes=6, on_outcomes=[], scoring="trial", title={"en": "Setting", "zh-Hans": "对时"}
    )
    Signal.objects.filter(probe__version=second, probe__key="clock-next", kind="recited").update(
        text={"en": "NTP, and no more"}
    )

    said = words(as_(cast.cora).get(f"{TREE}compare/1/2/"))

    for sentence in (
        "0 probes added, 0 removed, 0 moved, 1 changed, 1 the same",
        "Asked after: was sustained, is now any answer.",
        "Now on trial: asked, not scored.",
        "Minutes: was 4, is now 6.",
        "Title 简体中文, added [added: 对时 ]",
        "Recited signal English, changed NTP [added: , and no more ]",
    ):
        assert sentence in said, sentence


def test_a_version_does_not_differ_from_itself(cast: Cast, draft: TreeVersion) -> None:
    assert "Both say the same." in words(as_(cast.cora).get(f"{TREE}compare/1/1/"))


@pytest.mark.parametrize(
    ("query", "status"),
    [("old=1&new=2", 302), ("old=1", 404), ("old=x&new=2", 404), ("old=-1&new=2", 404), (f"old={'9' * 30}&new=1", 404)],
)
def test_the_form_leads_to_the_comparison(cast: Cast, published: TreeVersion, query: str, status: int) -> None:
    response = as_(cast.ana).get(f"{TREE}compare/?{query}")

    assert response.status_code == status
    if status == 302:
        assert response["Location"] == f"{TREE}compare/1/2/"


# --- the rule


def test_only_administrators_change_the_rule_and_say_why(cast: Cast) -> None:
    for person in (cast.cora, cast.mara):
        assert as_(person).post("/bank/rules/", {"own_review": "on", "reason": "Me"}).status_code == 403
    assert as_(cast.ada).post("/bank/rules/", {"own_review": "on", "reason": ""}).status_code == 422
    assert not BankRules.objects.exists()

    as_(cast.ada).post("/bank/rules/", {"own_review": "on", "reason": "Cora is alone"})

    assert BankRules.objects.get().own_review is True
    assert "Last changed by Ada" in words(as_(cast.ada).get("/bank/rules/"))
