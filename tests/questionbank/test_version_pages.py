"""The pages on the way of a version: who sees and does what, and what they say."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from people.models import Person
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.models import Probe, ReviewComment, Signal, Topic, TreeVersion, VersionStatus
from questionbank.services.drafting import new_draft
from questionbank.services.publishing import publish, return_to_draft, send_for_review, take_back
from questionbank.services.reviewing import add_comment, settle_comment
from tests.cast import Cast
from tests.support.drafts import change
from tests.support.pages import as_, words

pytestmark = [pytest.mark.db, pytest.mark.django_db]

TREE = "/bank/trees/clocks/"
V1, V2 = f"{TREE}v1/", f"{TREE}v2/"
FOR_CURATORS = ["Walk through", "Health", "History"]


def state(number: int = 1) -> str:
    return VersionStatus.objects.get(version__tree__key="clocks", version__number=number).state


def soup(response: Any) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


def hidden(page: BeautifulSoup, form: str = "form.form") -> dict[str, str]:
    """Return what this form carries of the text that its page shows."""
    return {str(one["name"]): str(one["value"]) for one in page.select(f"{form} [name=seen]")}


def seen_on(person: Person, path: str = f"{V1}review/", deed: str = f"{V1}publish/") -> dict[str, str]:
    return hidden(soup(as_(person).get(path)), f'form[action="{deed}"]')


def to_discard(cast: Cast, path: str) -> dict[str, str]:
    return seen_on(cast.cora, path, f"{path}discard/")


def actions(person: Person, path: str = V1) -> list[str]:
    page = soup(as_(person).get(path))
    return [one.get_text(" ", strip=True) for one in page.select(".bank-actions .button")]


# --- the page of a tree


def test_tree_page_offers_what_can_be_done_next(cast: Cast, draft: TreeVersion) -> None:
    drafted = ["Edit", "Send for review", "Comments", "Discard"]
    assert actions(cast.cora) == [*drafted, *FOR_CURATORS]
    send_for_review(draft, reviewer=cast.ada, by=cast.cora)
    assert actions(cast.cora) == ["The review", "Take back", *FOR_CURATORS]
    assert actions(cast.ada) == ["Review", "Take back", *FOR_CURATORS]
    publish(draft, by=cast.ada)
    assert actions(cast.cora) == ["New draft", "Retire", *FOR_CURATORS]
    assert actions(cast.ana) == ["Walk through", "History"]
    new_draft(draft.tree, cast.cora)
    assert actions(cast.cora) == ["Go on with version 2", "Retire", *FOR_CURATORS]
    assert actions(cast.cora, V2) == [*drafted, "Compare with version 1", *FOR_CURATORS]


def test_a_draft_is_begun_once(cast: Cast, published: TreeVersion) -> None:
    client = as_(cast.cora)

    assert client.post(f"{TREE}draft/")["Location"] == V2
    again = client.post(f"{TREE}draft/", follow=True)

    assert "Version 2 is open (draft): go on with that one." in words(again)
    assert TreeVersion.objects.count() == 2


def test_a_draft_is_discarded(cast: Cast, published: TreeVersion) -> None:
    new_draft(published.tree, cast.cora)

    assert as_(cast.cora).post(f"{V2}discard/", to_discard(cast, V2))["Location"] == TREE
    refused = as_(cast.cora).post(f"{V1}discard/", follow=True)

    assert "Version 1 is now: published. Only a draft can be changed." in words(refused)
    assert [version.number for version in TreeVersion.objects.all()] == [1]


def test_discarding_the_only_draft_leads_to_the_list(cast: Cast, draft: TreeVersion) -> None:
    assert as_(cast.cora).post(f"{V1}discard/", to_discard(cast, V1))["Location"] == "/bank/"


def test_a_draft_that_somebody_changed_since_is_not_discarded(cast: Cast, draft: TreeVersion) -> None:
    old_page = to_discard(cast, V1)
    change(draft, cast.ada, "prompt.en", "Which clock is right?", key="clock-root")

    for typed in (old_page, {}):
        refused = as_(cast.cora).post(f"{V1}discard/", typed, follow=True)
        assert "Ada changed version 1 since you opened it. Read it again first." in words(refused)

    assert Probe.objects.get(version=draft, key="clock-root").prompt["en"] == "Which clock is right?"


def test_a_tree_is_begun_with_a_topic_of_its_own(cast: Cast) -> None:
    client = as_(cast.cora)
    typed = {"topic": "", "new_topic": "Serving", "title-en": "Batching", "title-zh-Hans": "批处理"}

    assert client.post("/bank/new/", typed)["Location"] == "/bank/trees/batching/"

    whole = queries.tree_version("batching", 1)
    assert whole.outline.title == {"en": "Batching", "zh-Hans": "批处理"}
    assert whole.outline.topic.title == {"en": "Serving"}
    again = {"topic": "serving", "title-en": "", "title-zh-Hans": "量化"}
    assert client.post("/bank/new/", again)["Location"] == "/bank/trees/tree/"
    assert Topic.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"new_topic": "Serving"}, "title-en"),
        ({"title-en": "Batching"}, "topic"),
        ({"title-en": "Batching", "topic": "no-such"}, "topic"),
        ({"title-en": "x" * 121, "new_topic": "Serving"}, "title-en"),
    ],
)
def test_a_tree_without_title_or_topic_is_refused(cast: Cast, typed: dict[str, str], field: str) -> None:
    response = as_(cast.cora).post("/bank/new/", typed)

    assert response.status_code == 422
    assert soup(response).select(f"#id_{field}_error")
    assert (Topic.objects.count(), TreeVersion.objects.count()) == (0, 0)


def test_the_list_names_what_waits_for_my_review(cast: Cast, sent: TreeVersion) -> None:
    waits = "Clocks Version 1 waits for your review."
    assert waits in words(as_(cast.ada).get("/bank/"))
    assert waits not in words(as_(cast.cora).get("/bank/"))
    assert "New tree" not in words(as_(cast.ana).get("/bank/"))


# --- sending and reviewing


def test_a_draft_is_sent_to_one_of_those_who_may_review(cast: Cast, draft: TreeVersion) -> None:
    client = as_(cast.cora)
    page = soup(client.get(f"{V1}send/"))
    assert [label.get_text(strip=True) for label in page.select("#id_reviewer label")] == ["Ada"]

    assert client.post(f"{V1}send/", {"reviewer": str(cast.ada.code)})["Location"] == V1

    assert state() == VersionState.IN_REVIEW
    assert "Ada reviews it. Until then it doesn't change." in words(client.get(V1))


@pytest.mark.parametrize("reviewer", ["", "cora", "mara", "nonsense"])
def test_nobody_else_can_be_named(cast: Cast, draft: TreeVersion, reviewer: str) -> None:
    code = getattr(cast, reviewer).code if hasattr(cast, reviewer) else reviewer

    response = as_(cast.cora).post(f"{V1}send/", {"reviewer": str(code)})

    assert response.status_code == 422
    assert state() == VersionState.DRAFT


def test_where_nobody_can_review_the_page_says_what_helps(cast: Cast, draft: TreeVersion) -> None:
    Person.objects.filter(pk=cast.ada.pk).update(is_active=False)

    assert "An administrator can add a curator, or allow authors to review." in words(as_(cast.cora).get(f"{V1}send/"))


def test_sending_says_what_will_stop_publishing(cast: Cast, draft: TreeVersion) -> None:
    Signal.objects.filter(probe__version=draft, probe__key="clock-next", kind="weak").delete()

    said = words(as_(cast.cora).get(f"{V1}send/"))

    assert "1 thing keeps it from being published" in said
    assert "clock-next : " in said
    assert "missing: Weak." in said


def test_the_reviewer_publishes(cast: Cast, sent: TreeVersion) -> None:
    assert as_(cast.ada).post(f"{V1}publish/", seen_on(cast.ada))["Location"] == V1

    assert state() == VersionState.PUBLISHED


def sent_anew(cast: Cast, version: TreeVersion) -> None:
    """Take it back, change a prompt and send it to the same reviewer again."""
    take_back(version, by=cast.cora)
    change(version, cast.cora, "prompt.en", "Which clock is right?", key="clock-root")
    send_for_review(version, reviewer=cast.ada, by=cast.cora)


def test_a_text_that_the_reviewer_did_not_see_is_not_published(cast: Cast, sent: TreeVersion) -> None:
    old_page = seen_on(cast.ada)
    sent_anew(cast, sent)

    for typed in (old_page, {}):
        refused = as_(cast.ada).post(f"{V1}publish/", typed, follow=True)
        assert state() == VersionState.IN_REVIEW
        assert "Cora changed version 1 since you opened it. Read it again first." in words(refused)
        assert "Which clock is right?" in words(refused)

    as_(cast.ada).post(f"{V1}publish/", seen_on(cast.ada))
    assert state() == VersionState.PUBLISHED


def test_a_text_that_is_sent_again_unchanged_is_published_from_the_old_page(cast: Cast, sent: TreeVersion) -> None:
    old_page = seen_on(cast.ada)
    take_back(sent, by=cast.cora)
    send_for_review(sent, reviewer=cast.ada, by=cast.cora)

    as_(cast.ada).post(f"{V1}publish/", old_page)

    assert state() == VersionState.PUBLISHED


def test_a_text_that_the_reviewer_did_not_see_is_not_returned_unread(cast: Cast, sent: TreeVersion) -> None:
    ada = as_(cast.ada)
    link = next(one["href"] for one in soup(ada.get(f"{V1}review/")).select(f'a[href^="{V1}return/"]'))
    sent_anew(cast, sent)
    typed = {"reason": "The root asks two things.", **hidden(soup(ada.get(str(link))))}

    refused = ada.post(f"{V1}return/", typed)

    assert (refused.status_code, state()) == (422, VersionState.IN_REVIEW)
    assert "Cora changed version 1 since you opened it." in words(refused)
    ada.post(f"{V1}return/", {**typed, **hidden(soup(refused))})
    assert state() == VersionState.DRAFT


def test_somebody_else_does_not_publish(cast: Cast, sent: TreeVersion) -> None:
    page = as_(cast.cora).get(f"{V1}review/")
    assert not soup(page).select(f'form[action="{V1}publish/"]')

    refused = as_(cast.cora).post(f"{V1}publish/", follow=True)

    assert "Only the reviewer of this version can do that." in words(refused)
    assert state() == VersionState.IN_REVIEW


def test_the_reviewer_returns_it_and_the_draft_says_why(cast: Cast, sent: TreeVersion) -> None:
    ada = as_(cast.ada)
    assert ada.post(f"{V1}return/", {"reason": " "}).status_code == 422
    typed = {"reason": "The root asks two things.", **hidden(soup(ada.get(f"{V1}return/")))}
    assert ada.post(f"{V1}return/", typed)["Location"] == V1

    for path in (V1, f"{V1}review/", f"{V1}send/"):
        assert "The root asks two things." in words(as_(cast.cora).get(path)), path
    send_for_review(sent, reviewer=cast.ada, by=cast.cora)
    assert "The root asks two things." not in words(as_(cast.cora).get(V1))


def test_a_version_is_taken_back(cast: Cast, sent: TreeVersion) -> None:
    as_(cast.cora).post(f"{V1}take-back/")
    refused = as_(cast.cora).post(f"{V1}take-back/", follow=True)

    assert "Version 1 is now: draft." in words(refused)
    assert state() == VersionState.DRAFT


def test_review_shows_what_changed_and_what_was_removed(cast: Cast, published: TreeVersion) -> None:
    second = new_draft(published.tree, cast.cora)
    Probe.objects.filter(version=second, key="clock-root").update(prompt={"en": "Why do three clocks differ?"})
    Probe.objects.filter(version=second, key="clock-next").delete()
    send_for_review(second, reviewer=cast.ada, by=cast.cora)

    page = soup(as_(cast.ada).get(f"{V2}review/"))

    root = page.select_one("#probe-clock-root")
    assert root is not None
    assert [tag.get_text("", strip=True) for tag in root.select("del, ins")] == ["[removed:two]", "[added:three]"]
    removed = page.select_one('[aria-labelledby="removed"]')
    assert removed is not None
    assert "What do you read while it is being set?" in removed.get_text()


# --- comments


def test_a_comment_is_written_beside_its_probe_and_resolved(cast: Cast, sent: TreeVersion) -> None:
    ada = as_(cast.ada)
    sent_to = ada.post(f"{V1}comments/", {"probe_key": "clock-root", "text": "Which <b>clocks</b>?"})
    assert sent_to["Location"] == f"{V1}review/#about-clock-root"

    page = ada.get(f"{V1}review/")
    said = soup(page).select_one("#about-clock-root .bank-comment")
    assert said is not None
    assert "Which <b>clocks</b>?" in said.get_text()
    assert not said.select("b")
    assert "1 comment isn't resolved yet." in words(ada.post(f"{V1}publish/", seen_on(cast.ada), follow=True))

    comment = ReviewComment.objects.get()
    as_(cast.cora).post(f"/bank/comments/{comment.code}/", {"resolved": "1"})
    assert "resolved by Cora" in words(ada.get(f"{V1}review/"))


def test_with_htmx_the_answer_is_the_comments_of_that_probe(cast: Cast, sent: TreeVersion) -> None:
    ada = as_(cast.ada)
    add_comment(sent, by=cast.ada, text="Elsewhere")

    answer = ada.post(f"{V1}comments/", {"probe_key": "clock-root", "text": "Here"}, headers={"HX-Request": "true"})
    page = soup(answer)
    assert (answer.status_code, [one["id"] for one in page.select(".bank-comments")]) == (200, ["about-clock-root"])
    assert [one.get_text(strip=True) for one in page.select(".bank-comment > .keep-lines")] == ["Here"]
    assert page.select_one("#open-comments[hx-swap-oob=true]").get_text(strip=True) == "2 open comments"  # type: ignore[union-attr]

    refused = ada.post(f"{V1}comments/", {"probe_key": "", "text": ""}, headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "Elsewhere" in refused.content.decode()
    assert soup(refused).select_one("#say-")["aria-invalid"] == "true"  # type: ignore[index]


@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}])
def test_a_comment_on_no_probe_is_refused(cast: Cast, sent: TreeVersion, htmx: dict[str, str]) -> None:
    for key in ("no-such", "no\x00such", "No such"):
        response = as_(cast.ada).post(f"{V1}comments/", {"probe_key": key, "text": "Hm"}, headers=htmx)
        assert response.status_code == 422, key


def test_a_comment_without_words_is_refused_in_its_place(cast: Cast, sent: TreeVersion) -> None:
    response = as_(cast.ada).post(f"{V1}comments/", {"probe_key": "clock-next", "text": ""})

    assert response.status_code == 422
    assert [one["id"] for one in soup(response).select("textarea[aria-invalid]")] == ["say-clock-next"]
    assert not ReviewComment.objects.exists()


def test_comments_of_a_published_version_stay_to_be_read(cast: Cast, sent: TreeVersion) -> None:
    comment = add_comment(sent, by=cast.ada, text="Good")
    settle_comment(comment, by=cast.ada, resolved=True)
    publish(sent, by=cast.ada)

    page = as_(cast.cora).get(f"{V1}review/")
    assert "Good" in words(page)
    assert not soup(page).select(".bank-comments form")
    reopen = f"/bank/comments/{comment.code}/"
    late = as_(cast.cora).post(reopen, {"resolved": "0"}, follow=True)
    assert "its review is over" in words(late)
    swapped = as_(cast.cora).post(reopen, {"resolved": "0"}, headers={"HX-Request": "true"})
    assert (swapped.status_code, [one["id"] for one in soup(swapped).select(".bank-comments")]) == (409, ["about-"])
    said = as_(cast.cora).post(f"{V1}comments/", {"text": "More"}, headers={"HX-Request": "true"})
    assert "its review is over" in soup(said).select_one('[role="alert"]').get_text()  # type: ignore[union-attr]


def test_a_comment_on_a_probe_that_is_gone_is_still_read(cast: Cast, sent: TreeVersion) -> None:
    add_comment(sent, by=cast.ada, text="Too much", probe_key="clock-next")
    return_to_draft(sent, by=cast.ada, reason="Shorter")
    Probe.objects.filter(version=sent, key="clock-next").delete()

    assert "on clock-next, which is gone Too much" in words(as_(cast.cora).get(f"{V1}review/"))


def test_an_unknown_comment_is_not_found(cast: Cast, sent: TreeVersion) -> None:
    unknown = "/bank/comments/00000000-0000-0000-0000-000000000000/"

    assert as_(cast.ada).post(unknown, {"resolved": "1"}).status_code == 404


# --- rights


@pytest.mark.parametrize(
    "path",
    ["draft/", "v1/discard/", "v1/send/", "v1/take-back/", "v1/comments/", "v1/return/", "v1/publish/", "v1/retire/"],
)
@pytest.mark.parametrize("name", ["mara", "ana", "eli"])
def test_only_curators_write(cast: Cast, sent: TreeVersion, client: Client, name: str, path: str) -> None:
    client.force_login(getattr(cast, name))

    assert client.post(f"{TREE}{path}", {"text": "x", "reason": "x"}).status_code == 403
    assert state() == VersionState.IN_REVIEW
    assert queries.newest_of_all().get().number == 1
