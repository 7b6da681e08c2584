"""The pages of suggestions, and ending a trial from the health page."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone

from questionbank.enums import Aim, Scoring, SuggestionKind, VersionState
from questionbank.models import Suggestion, TreeVersion
from questionbank.services.suggestions import release, suggest
from tests.cast import Cast
from tests.support.factories import make_tree
from tests.support.figures import make_figures

pytestmark = [pytest.mark.db, pytest.mark.django_db]

LIST = "/bank/suggestions/"


@pytest.fixture
def version() -> TreeVersion:
    return make_tree()


@pytest.fixture
def curator(cast: Cast, client: Client) -> Client:
    client.force_login(cast.cora)
    return client


def arrived(version: TreeVersion, key: str = "l2", kind: SuggestionKind = SuggestionKind.EDIT) -> str:
    """Let a suggestion come in and the night pass; return its address."""
    before = set(Suggestion.objects.values_list("pk", flat=True))
    suggest(version.probes.get(key=key), kind, {"en": f"What did {key} cost you?"}, aims=[Aim.WHY])
    release(date(2026, 11, 30))
    return f"{LIST}{Suggestion.objects.exclude(pk__in=before).get().pk}/"


def words(html: bytes, selector: str = "main") -> str:
    (found,) = BeautifulSoup(html, "html.parser").select(selector)
    return " ".join(found.get_text(" ").split())


def sent(client: Client, url: str, **changed: str) -> dict[str, str]:
    """What the browser would send back from the first form of the page, with changes."""
    form = BeautifulSoup(client.get(url).content, "html.parser").select("main form")[0]
    fields = {str(one["name"]): one.text.strip() for one in form.select("textarea")}
    fields |= {str(one["name"]): str(one.get("value", "")) for one in form.select("input[type=hidden]")}
    return {**fields, **changed}


def test_list_shows_what_waits_by_tree(curator: Client, version: TreeVersion) -> None:
    arrived(version)
    arrived(version, "l3", SuggestionKind.FOLLOW_UP)
    month = timezone.now().strftime("%B %Y")

    said = words(curator.get(LIST).content, ".suggestions")

    assert said == (
        f"Data parallel Other words for l2 of data-parallel , {month} What did l2 cost you?"
        " Decide What did l2 cost you?"
        f" A follow-up below l3 of data-parallel , {month} What did l3 cost you? Decide What did l3 cost you?"
    )


def test_empty_list_says_what_will_come(curator: Client) -> None:
    assert "Nothing waits." in words(curator.get(LIST).content, ".empty")


def test_suggestion_is_taken_up_from_its_page(curator: Client, version: TreeVersion) -> None:
    url = arrived(version)

    response = curator.post(url, sent(curator, url, personal_data_checked="on"), follow=True)

    assert response.redirect_chain == [(LIST, 302)]
    assert "It is in version 2 now, a draft." in words(response.content, ".messages")
    assert "taken up" in words(response.content, "section[aria-labelledby=decided]")
    assert version.tree.versions.get(number=2).probes.get(key="l2").prompt == {
        "en": "What did l2 cost you?",
        "zh-Hans": "l2 怎么样？",
    }
    assert "Decided taken up" in words(curator.get(url).content)
    assert curator.post(url, {"text-en": "Again", "personal_data_checked": "on"}).status_code == 422


def test_unconfirmed_is_refused_beside_the_box_and_keeps_what_was_typed(curator: Client, version: TreeVersion) -> None:
    url = arrived(version)

    response = curator.post(url, sent(curator, url, **{"text-en": "What does it cost?"}))

    assert response.status_code == 422
    assert "Say that it holds nothing about a person" in words(response.content, ".field--check")
    assert "What does it cost?" in words(response.content, "textarea[name=text-en]")
    assert version.tree.versions.count() == 1


def test_words_of_somebody_else_meanwhile_are_shown(curator: Client, version: TreeVersion) -> None:
    url = arrived(version)
    fields = sent(curator, url, personal_data_checked="on")
    draft = make_tree(number=2, state=VersionState.DRAFT)
    draft.probes.filter(key="l2").update(prompt={"en": "Chen's words"})

    response = curator.post(url, fields)

    assert response.status_code == 422
    assert "The draft says something else by now: “Chen's words”" in words(response.content, ".form__errors")


def test_suggestion_is_declined_with_a_reason(curator: Client, version: TreeVersion) -> None:
    url = arrived(version)

    assert curator.post(f"{url}decline/", {"reason": ""}).status_code == 422
    response = curator.post(f"{url}decline/", {"reason": "Names an employer"}, follow=True)

    assert "declined" in words(response.content, "section[aria-labelledby=decided]")
    assert "cost you" not in words(response.content)


def test_what_is_not_released_is_not_found(curator: Client, version: TreeVersion) -> None:
    suggest(version.probes.get(key="l2"), SuggestionKind.EDIT, {"en": "New words"})
    url = f"{LIST}{Suggestion.objects.get().pk}/"

    assert curator.get(url).status_code == 404
    assert "New words" not in words(curator.get(LIST).content)


def test_markup_in_a_suggestion_is_text(curator: Client, version: TreeVersion) -> None:
    suggest(version.probes.get(key="l2"), SuggestionKind.EDIT, {"en": "<script>alert(1)</script> & <b>bold</b>"})
    release(date(2026, 11, 30))

    for url in (LIST, f"{LIST}{Suggestion.objects.get().pk}/"):
        page = curator.get(url).content.decode()
        assert "<script>alert" not in page
        assert "&lt;b&gt;bold" in page


@pytest.mark.parametrize("url", [LIST, "one"])
def test_pages_take_the_same_queries_for_one_and_many(
    curator: Client, version: TreeVersion, url: str, django_assert_num_queries: Any
) -> None:
    one = arrived(version)
    path = one if url == "one" else url
    expected = {LIST: 6, "one": 5}[url]
    with django_assert_num_queries(expected):
        curator.get(path)
    for key in ("l2", "l3", "l4"):
        arrived(make_tree(f"tree-{key}"), key)

    with django_assert_num_queries(expected):
        curator.get(path)


# --- the end of a trial


def trial(outcomes: dict[str, int]) -> TreeVersion:
    version = make_tree(state=VersionState.DRAFT)
    version.probes.filter(key="l3").update(scoring=Scoring.TRIAL)
    version.status.state, version.status.published_at = VersionState.PUBLISHED, timezone.now()
    version.status.save(update_fields=["state", "published_at"])
    make_figures(version, "l3", outcomes=outcomes)
    return version


def test_trial_ends_in_a_draft_that_scores_the_probe(curator: Client) -> None:
    version = trial({"sustained": 31})
    page = BeautifulSoup(curator.get("/bank/trees/data-parallel/health/").content, "html.parser")
    (form,) = page.select(".health-look form")

    response = curator.post(str(form["action"]))

    assert response["Location"] == "/bank/trees/data-parallel/v2/probes/l3/"
    assert version.tree.versions.get(number=2).probes.get(key="l3").scoring == Scoring.SCORED
    assert version.probes.get(key="l3").scoring == Scoring.TRIAL


def test_trial_without_enough_data_goes_on(curator: Client) -> None:
    version = trial({"sustained": 29})

    response = curator.post("/bank/trees/data-parallel/probes/l3/promote/", follow=True)

    assert "not enough data yet" in words(response.content, ".messages")
    assert version.tree.versions.count() == 1


def test_trial_goes_on_where_the_draft_asks_something_else(curator: Client) -> None:
    trial({"sustained": 31})
    draft = make_tree(number=2, state=VersionState.DRAFT)
    draft.probes.filter(key="l3").update(prompt={"en": "Something else"}, scoring=Scoring.TRIAL)

    response = curator.post("/bank/trees/data-parallel/probes/l3/promote/", follow=True)

    assert "The draft words it anew" in words(response.content, ".messages")
    assert draft.probes.get(key="l3").scoring == Scoring.TRIAL
