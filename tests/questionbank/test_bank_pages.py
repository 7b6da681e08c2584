"""The pages of the bank: who may read them, in which language, at which cost."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from django.test import Client
from django.urls import reverse

from people.models import Person
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.exchange.yaml import read
from questionbank.services.importing import import_readings
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.factories import make_plan, make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]

READERS = ("ada", "cora", "mara", "ana", "sam")
LIST = "/bank/"
TREE = "/bank/trees/data-parallel/"
PROBE = "/bank/trees/data-parallel/probes/l2/"


def get(client: Client, person: Person, path: str, **cookies: str) -> BeautifulSoup:
    client.force_login(person)
    client.cookies.load(cookies)
    response = client.get(path)
    assert response.status_code == 200, path
    return BeautifulSoup(response.content, "html.parser")


def one(soup: BeautifulSoup, selector: str) -> Tag:
    found = soup.select(selector)
    assert len(found) == 1, f"{selector}: {len(found)}"
    return found[0]


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def test_addresses_are_these() -> None:
    assert reverse("questionbank:bank-list") == LIST
    assert reverse("questionbank:bank-tree", kwargs={"key": "data-parallel"}) == TREE
    assert reverse("questionbank:bank-probe", kwargs={"key": "data-parallel", "probe": "l2"}) == PROBE
    assert reverse("questionbank:bank-tree", kwargs={"key": "a", "number": 3}) == "/bank/trees/a/v3/"


@pytest.mark.parametrize("path", [LIST, TREE, "/bank/trees/data-parallel/v1/", PROBE])
@pytest.mark.parametrize(("name", "status"), [*((name, 200) for name in READERS), ("eli", 403)])
def test_bank_is_read_by_those_who_work_with_it(cast: Cast, client: Client, name: str, status: int, path: str) -> None:
    make_tree("data-parallel")
    client.force_login(getattr(cast, name))

    assert client.get(path).status_code == status
    assert client.post(path).status_code == 405


@pytest.mark.parametrize("path", [LIST, TREE, PROBE])
def test_bank_is_not_for_visitors(client: Client, path: str) -> None:
    make_tree("data-parallel")

    response = client.get(path)

    assert (response.status_code, response["Location"].split("?")[0]) == (302, "/accounts/login/")


@pytest.mark.parametrize(
    "path",
    [
        "/bank/trees/no-such-tree/",
        "/bank/trees/data-parallel/v2/",
        "/bank/trees/data-parallel/v99999999999999999999/",
        "/bank/trees/data-parallel/probes/no-such-probe/",
        "/bank/trees/data-parallel/v2/probes/l2/",
    ],
)
def test_unknown_key_is_not_found(cast: Cast, client: Client, path: str) -> None:
    make_tree("data-parallel")
    client.force_login(cast.cora)

    assert client.get(path).status_code == 404


def test_unknown_key_tells_people_without_the_bank_nothing(cast: Cast, client: Client) -> None:
    client.force_login(cast.eli)

    assert client.get("/bank/trees/no-such-tree/").status_code == 403


def test_draft_is_for_curators_only(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", number=1)
    make_tree("data-parallel", number=2, state=VersionState.DRAFT, depth=6)
    make_tree("other", state=VersionState.DRAFT)

    assert "6 levels" in words(one(get(client, cast.cora, TREE), ".page__head"))
    assert "4 levels" in words(one(get(client, cast.ana, TREE), ".page__head"))
    assert client.get("/bank/trees/data-parallel/v2/").status_code == 404
    assert client.get("/bank/trees/other/").status_code == 404
    assert words(one(get(client, cast.ana, TREE), ".bank__versions")) == "Version 1 published As a file"
    assert words(one(get(client, cast.cora, TREE), ".bank__versions")) == "Version 2 draft Version 1 As a file"


def test_retired_version_can_still_be_read_by_number(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", number=1, state=VersionState.PUBLISHED)
    version = make_tree("data-parallel", number=2, state=VersionState.PUBLISHED)
    version.status.state = VersionState.RETIRED
    version.status.save(update_fields=["state"])

    assert words(one(get(client, cast.ana, TREE), ".bank__versions")) == "Version 2 Version 1 published As a file"
    get(client, cast.ana, "/bank/trees/data-parallel/v2/")


# --- the list


def test_list_counts_what_each_tree_asks(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", depth=4)

    soup = get(client, cast.ana, LIST)

    row = one(soup, ".bank-list tbody tr")
    # root, root-rescue, l2, l2-again, l3, l4; why on even levels, hands-on from level 3.
    assert [words(cell) for cell in row.select("th, td")] == [
        "Data parallel",
        "4",
        "6",
        "15",
        "depth 6 why 3 hands-on 2",
        "English 简体中文",
        "1 published",
    ]


def test_list_names_a_language_only_when_every_prompt_has_it(cast: Cast, client: Client) -> None:
    version = make_tree("data-parallel", state=VersionState.DRAFT)
    version.probes.filter(key="l3").update(prompt={"en": "Only English?"})

    soup = get(client, cast.cora, LIST)

    assert [words(tag) for tag in soup.select(".bank-list__language")] == ["English"]


def test_list_shows_plans_with_the_titles_of_their_trees(cast: Cast, client: Client) -> None:
    make_plan(make_tree("data-parallel"), make_tree("zero-stages"), name="Training")

    plan = one(get(client, cast.mara, LIST), ".bank-plans__one")

    assert words(plan) == "Training 2 trees, 30 min Data parallel 15 min Zero stages 15 min"


def test_empty_list_says_how_to_fill_it(cast: Cast, client: Client) -> None:
    assert "bank import" in words(one(get(client, cast.cora, LIST), ".empty"))


# --- a tree, a probe


def test_tree_is_nested_as_it_is_asked(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", depth=3)

    soup = get(client, cast.ana, TREE)

    root = one(soup, ".bank-tree__root > .bank-node")
    assert [words(tag) for tag in root.select(":scope > .bank-node__row > .bank-node__own .bank-card__title")] == [
        "1 root of data-parallel",
        "1 root-rescue of data-parallel",
    ]
    assert one(soup, ".bank-node__onward .bank-node__beside .bank-card__title a")["href"] == f"{TREE}probes/l2-again/"
    assert [words(level) for level in soup.select(".bank-tree__levels span")] == ["Level 1", "Level 2", "Level 3"]


def test_tree_says_when_a_follow_up_is_asked(cast: Cast, client: Client) -> None:
    import_readings([read(SOURCE.encode(), file="x")], publish=True)

    soup = get(client, cast.ana, "/bank/trees/clocks/")

    assert words(one(soup, ".bank-when")) == "if sustained heard: has set one"
    assert [use["href"] for use in soup.select(".bank-when use")] == ["#o-sustained"]


def test_links_stay_in_the_version_that_is_read(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", depth=2)

    soup = get(client, cast.ana, "/bank/trees/data-parallel/v1/probes/root/")

    inside = [a["href"] for a in soup.select("main a") if "/trees/" in str(a["href"])]
    assert inside
    assert all(str(href).startswith("/bank/trees/data-parallel/v1/") for href in inside)


def test_probe_shows_signals_and_anchors_of_each_aim(cast: Cast, client: Client) -> None:
    make_tree("data-parallel")

    soup = get(client, cast.ana, PROBE)

    assert words(one(soup, "h1")) == "What about l2 in data-parallel?"
    assert [words(tag) for tag in soup.select(".bank-listen li")] == [
        "strong answer to l2",
        "recited answer to l2",
        "weak answer to l2",
    ]
    assert [words(tag) for tag in soup.select(".bank-anchors h3")] == ["Depth", "Why"]
    assert [words(tag) for tag in soup.select(".bank-anchors li")] == [
        *(f"{rating} depth {rating} on l2" for rating in (0, 2, 4)),
        *(f"{rating} why {rating} on l2" for rating in (0, 2, 4)),
    ]


def test_texts_come_in_the_readers_language_and_are_marked(cast: Cast, client: Client) -> None:
    make_tree("data-parallel")

    soup = get(client, cast.ana, PROBE, django_language="zh-hans")

    assert (one(soup, "h1 span").get("lang"), words(one(soup, "h1"))) == ("zh-Hans", "l2 怎么样？")
    # Signals have no Chinese: they fall back, and say so.
    assert {tag.get("lang") for tag in soup.select(".bank-listen li span")} == {"en"}
    assert one(soup, ".bank-probe__also").get("lang") == "en"


def test_text_of_the_bank_is_text(cast: Cast, client: Client) -> None:
    source = SOURCE.replace("Why do two clocks differ?", "<b onclick=x>Why</b>?").replace("Drift", "<script>1</script>")
    import_readings([read(source.encode(), file="x")], publish=True)
    client.force_login(cast.ana)

    page = client.get("/bank/trees/clocks/probes/clock-root/").content.decode()

    assert "&lt;b onclick=x&gt;Why&lt;/b&gt;?" in page
    assert "<script>1" not in page


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("path", "expected"), [(LIST, 11), (TREE, 7), (PROBE, 7)])
def test_pages_ask_a_fixed_number_of_queries(
    cast: Cast, client: Client, django_assert_num_queries: Any, path: str, expected: int, count: int
) -> None:
    versions = [make_tree(key, depth=2 + count) for key in ("data-parallel", "zero-stages", "evaluation")[:count]]
    make_plan(*versions)
    client.force_login(cast.ana)

    # Session, person, then the bank.
    with django_assert_num_queries(expected):
        assert client.get(path).status_code == 200


# --- queries that other apps use


@pytest.mark.parametrize("count", [1, 3])
def test_whole_trees_come_in_three_queries(db: None, django_assert_num_queries: Any, count: int) -> None:
    for number in range(count):
        make_tree(f"tree-{number}")
    versions = list(queries.published_trees())

    with django_assert_num_queries(3):
        wholes = queries.whole_trees(versions)
        assert [len(whole.probes) for whole in wholes] == [6] * count
        assert all(probe.signals.all() and probe.anchors.all() for whole in wholes for probe in whole.probes)
        assert all(probe.version.tree.key for whole in wholes for probe in whole.probes)


def test_published_trees_are_the_newest_published(db: None) -> None:
    make_tree("a", number=1)
    second = make_tree("a", number=2)
    make_tree("a", number=3, state=VersionState.DRAFT)
    make_tree("b", state=VersionState.IN_REVIEW)

    assert list(queries.published_trees()) == [second]


def test_tree_version_is_whole(db: None) -> None:
    make_tree("a", number=1)

    assert queries.tree_version("a", 1).outline.key == "a"
