"""The search on the bank's first page, the pages of near-duplicates and merging, and what redirects do to links."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from people.models import Person
from questionbank.enums import VersionState
from questionbank.models import NearPair, Probe, Redirect, TreeVersion
from questionbank.queries.find import PER_PAGE
from questionbank.services.duplicates import compare_waiting
from questionbank.services.merging import merge
from tests.cast import Cast
from tests.support.factories import make_probe, make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]

HTMX = {"HX-Request": "true"}


def soup_of(client: Client, person: Person, path: str, **options: Any) -> BeautifulSoup:
    client.force_login(person)
    response = client.get(path, **options)
    assert response.status_code == 200, path
    return BeautifulSoup(response.content, "html.parser")


def titles(soup: BeautifulSoup) -> list[str]:
    return [" ".join(link.get_text().split()) for link in soup.select(".found__title a")]


def test_without_a_search_the_bank_stands_by_topic(cast: Cast, client: Client) -> None:
    make_tree("data-parallel")

    for path in ("/bank/", "/bank/?q=", "/bank/?q=++&topic=&page=3"):
        soup = soup_of(client, cast.ana, path)
        assert soup.select("#topic-training")
        assert not titles(soup)


def test_a_search_works_by_its_address_alone(cast: Cast, client: Client) -> None:
    make_tree("data-parallel")
    make_tree("zero-stages")

    soup = soup_of(client, cast.ana, "/bank/?q=ZERO+l2&level=2")

    assert titles(soup) == ["l2 of zero-stages", "l2-again of zero-stages"]
    assert soup.select("#find-q")[0]["value"] == "ZERO l2"
    assert soup.select("#find-level")[0]["value"] == "2"
    assert [mark.get_text() for mark in soup.select(".found__one")[0].select(".found__title mark")] == ["l2", "zero"]
    assert soup.select("h2[data-said]")[0]["data-said"] == "2 probes found"
    assert soup.select(".found__title a")[0]["href"] == "/bank/trees/zero-stages/v1/probes/l2/"
    assert soup.select("link[href$='find.css']")


def test_what_is_typed_gets_the_part_below_the_form(cast: Cast, client: Client) -> None:
    make_tree("data-parallel")
    client.force_login(cast.ana)

    response = client.get("/bank/?q=l2&topic=&page=", headers=HTMX)

    soup = BeautifulSoup(response.content, "html.parser")
    assert not soup.select("html, form")
    assert len(titles(soup)) == 2
    assert response["HX-Push-Url"] == "/bank/?q=l2"
    assert "HX-Request" in response["Vary"]
    assert client.get("/bank/?q=l2", headers={**HTMX, "HX-History-Restore-Request": "true"}).content.startswith(b"<!")


@pytest.mark.parametrize(
    ("before", "now", "header"),
    [
        ("/bank/", "?q=l", "HX-Push-Url"),
        ("/bank/?q=l", "?q=l2", "HX-Replace-Url"),
        ("/bank/?q=l&page=2", "?q=l2", "HX-Replace-Url"),
        ("/bank/?q=l2", "?q=", "HX-Push-Url"),
        ("/bank/?q=l2", "?q=l2&level=2", "HX-Push-Url"),
        ("/bank/?q=l&level=2", "?q=l2&level=2", "HX-Replace-Url"),
    ],
)
def test_the_way_back_has_a_step_for_each_search_not_for_each_letter(
    cast: Cast, client: Client, before: str, now: str, header: str
) -> None:
    make_tree("data-parallel")
    client.force_login(cast.ana)

    response = client.get(f"/bank/{now}", headers={**HTMX, "HX-Current-URL": f"http://testserver{before}"})

    assert {name for name in ("HX-Push-Url", "HX-Replace-Url") if name in response} == {header}


@pytest.mark.parametrize("address", ["http://[bad", "http://[bad/?q=l", "?q=" + "&" * 2000, "\x00"])
def test_a_browser_that_is_nowhere_is_answered(cast: Cast, client: Client, address: str) -> None:
    client.force_login(cast.ana)

    response = client.get("/bank/?q=l2", headers={**HTMX, "HX-Current-URL": address})

    assert (response.status_code, response["HX-Push-Url"]) == (200, "/bank/?q=l2")


@pytest.mark.parametrize(
    "query",
    [
        "level=none", "level=0", "aim=breadth", "topic=gone", "page=0", "page=99999999999", "owner=%27", "used=x",
        "q=" + "x" * 201, "q=%00",
    ],
)  # fmt: skip
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_search_that_cannot_be_is_told_so(cast: Cast, client: Client, query: str, headers: dict[str, str]) -> None:
    client.force_login(cast.cora)

    response = client.get(f"/bank/?{query}", headers=headers)

    assert response.status_code == 422
    assert "This search is not possible" in response.content.decode()


def test_readers_have_no_filter_by_status(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", state=VersionState.DRAFT)

    assert not soup_of(client, cast.ana, "/bank/").select("#find-state")
    assert titles(soup_of(client, cast.ana, "/bank/?state=draft")) == []
    assert len(titles(soup_of(client, cast.cora, "/bank/?state=draft"))) == 6


def test_words_are_shown_in_the_language_they_were_found_in(cast: Cast, client: Client) -> None:
    version = make_tree("data-parallel", state=VersionState.DRAFT)
    Probe.objects.filter(version=version, key="l2").update(
        prompt={"en": "What moves?", "zh-Hans": "<b>梯度</b>怎样移动？"}, title={"en": "Moves"}
    )

    soup = soup_of(client, cast.cora, "/bank/?q=梯度")

    prompt = soup.select(".found__prompt span")[0]
    assert (prompt["lang"], prompt.get_text()) == ("zh-Hans", "<b>梯度</b>怎样移动？")
    assert [mark.get_text() for mark in prompt.select("mark")] == ["梯度"]


def test_pages_lead_on_with_the_search(cast: Cast, client: Client) -> None:
    version = make_tree("long", depth=2, state=VersionState.DRAFT)
    root = version.probes.get(key="root")
    for number in range(PER_PAGE):
        make_probe(version, f"more-{number}", level=2, parent=root, position=20 + number)

    soup = soup_of(client, cast.cora, "/bank/?q=what+about&level=2&page=1")
    assert [link["href"] for link in soup.select(".found__pages a")] == ["/bank/?q=what+about&level=2&page=2"]
    soup = soup_of(client, cast.cora, "/bank/?q=what+about&level=2&page=2")
    assert [link["href"] for link in soup.select(".found__pages a")] == ["/bank/?q=what+about&level=2"]
    assert soup.select(".found__list")[0]["start"] == str(PER_PAGE + 1)


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_takes_the_same_queries_for_one_and_three(
    cast: Cast, client: Client, django_assert_num_queries: Any, count: int
) -> None:
    for number in range(count):
        make_tree(f"tree-{number}")
    client.force_login(cast.ana)

    with django_assert_num_queries(9):  # session, person, four of the choices, the page, its probes, their signals
        client.get("/bank/?q=root&aim=depth")


# --- near-duplicates and merging --------------------------------------------------------------------------------------

ASKED = "Why would you shard the optimizer states across cards?"


@pytest.fixture
def alike(db: None) -> tuple[TreeVersion, TreeVersion]:
    """Two published trees whose l2 ask the same, and nothing else that is long enough to be like another."""
    versions = []
    for key in ("alpha", "beta"):
        version = make_tree(key, depth=3, state=VersionState.DRAFT)
        version.probes.update(prompt={"en": "Why?"})
        version.probes.filter(key="l2").update(prompt={"en": ASKED})
        version.status.state, version.status.published_at = VersionState.PUBLISHED, version.created_at
        version.status.save()
        versions.append(version)
    compare_waiting()
    return versions[0], versions[1]


def test_pairs_are_listed_with_the_way_to_keep_either(cast: Cast, client: Client, alike: object) -> None:
    soup = soup_of(client, cast.cora, "/bank/duplicates/")

    assert [head.get_text() for head in soup.select(".pair__head")] == ["100% alike in English"]
    assert [link["href"] for link in soup.select(".pair__one .button")] == [
        "/bank/merge/?kept=alpha/l2&merged=beta/l2",
        "/bank/merge/?kept=beta/l2&merged=alpha/l2",
    ]


def test_a_pair_is_called_different(cast: Cast, client: Client, alike: object) -> None:
    client.force_login(cast.cora)

    response = client.post(f"/bank/duplicates/{NearPair.objects.get().code}/different/", follow=True)

    assert not BeautifulSoup(response.content, "html.parser").select(".pair")


def test_merging_says_what_it_does_and_then_does_it(
    cast: Cast, client: Client, alike: tuple[TreeVersion, TreeVersion]
) -> None:
    soup = soup_of(client, cast.cora, "/bank/merge/?kept=alpha/l2&merged=beta/l2")
    assert "A new draft of its tree is made" in soup.get_text()
    assert "Its 2 follow-ups move up to “root of beta”" in soup.get_text()
    assert [tag["lang"] for tag in soup.select(".prose li [lang]")] == ["en"]

    data = {"kept": "alpha/l2", "merged": "beta/l2"}
    refused = client.post("/bank/merge/", {**data, "reason": " "})
    assert refused.status_code == 422
    assert Redirect.objects.count() == 0

    unseen = client.post("/bank/merge/", {**data, "reason": "Asked twice"})
    assert (unseen.status_code, Redirect.objects.count()) == (422, 0)
    shown = BeautifulSoup(unseen.content, "html.parser").select("[name=shown]")[0]["value"]

    response = client.post("/bank/merge/", {**data, "reason": "Asked twice", "shown": str(shown)})

    assert response.headers["Location"] == "/bank/trees/beta/v2/"
    soup = soup_of(client, cast.cora, "/bank/duplicates/")
    assert not soup.select(".pair")
    assert "Asked twice" in soup.select(".merges__one")[0].get_text()


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("kept=alpha/l2&merged=alpha/l2", "one and the same"),
        ("kept=alpha/l2&merged=beta/root", "starts its tree"),
        ("kept=alpha/l2&merged=gone/root", "isn't in the bank any more"),
    ],
)
def test_what_cannot_be_merged_is_told(cast: Cast, client: Client, alike: object, query: str, says: str) -> None:
    soup = soup_of(client, cast.cora, f"/bank/merge/?{query}")
    assert says in soup.select(".notice")[0].get_text()

    response = client.post("/bank/merge/", {**dict(part.split("=") for part in query.split("&")), "reason": "So"})
    assert response.status_code == 422
    assert says in BeautifulSoup(response.content, "html.parser").get_text()


@pytest.mark.parametrize("name", ["", "alpha", "alpha/", "/l2", "Alpha/l2", "a/b/c", "alpha/l2'"])
def test_a_probe_is_named_by_two_keys(cast: Cast, client: Client, name: str) -> None:
    client.force_login(cast.cora)

    assert client.get("/bank/merge/", {"kept": name, "merged": name}).status_code == 200
    response = client.post("/bank/merge/", {"kept": name, "merged": "beta/l2", "reason": "So"})

    assert response.status_code == 422
    assert "Name the probe by the keys" in response.content.decode()


def test_links_of_a_merged_probe_lead_to_the_kept_one(
    cast: Cast, client: Client, alike: tuple[TreeVersion, TreeVersion]
) -> None:
    redirect, _draft = merge(("alpha", "l2"), ("beta", "l2"), reason="Asked twice", by=cast.cora)
    kept = "/bank/trees/alpha/probes/l2/"

    client.force_login(cast.cora)
    assert client.get("/bank/trees/beta/probes/l2/").headers["Location"] == kept
    assert client.get("/bank/trees/beta/v2/probes/l2/").status_code == 404
    for person, path in ((cast.ana, "/bank/trees/beta/probes/l2/"), (cast.cora, "/bank/trees/beta/v1/probes/l2/")):
        notice = soup_of(client, person, path).select(".notice")[0]
        assert "merged into another" in notice.get_text()
        assert notice.select("a")[0]["href"] == kept

    client.force_login(cast.cora)
    assert client.post(f"/bank/merges/{redirect.code}/undo/").status_code == 302
    assert client.get("/bank/trees/beta/probes/l2/").status_code == 404


def test_a_merge_into_a_draft_is_told_to_curators_only(
    cast: Cast, client: Client, alike: tuple[TreeVersion, TreeVersion]
) -> None:
    make_tree("hidden", state=VersionState.DRAFT)
    merge(("hidden", "l2"), ("beta", "l2"), reason="Asked better there", by=cast.cora)

    assert not soup_of(client, cast.ana, "/bank/trees/beta/probes/l2/").select(".notice")
    assert soup_of(client, cast.cora, "/bank/trees/beta/v1/probes/l2/").select(".notice")
