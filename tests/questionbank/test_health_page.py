"""The health pages: who reads them, what they say of seeded figures, and what not before there are enough."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from django.test import Client
from django.utils import timezone

from people.models import Person
from questionbank.enums import Scoring, VersionState
from questionbank.models import TreeVersion
from tests.cast import Cast
from tests.support.factories import make_tree
from tests.support.figures import make_figures

pytestmark = [pytest.mark.db, pytest.mark.django_db]

TREE = "/bank/trees/data-parallel/health/"
BANK = "/bank/health/"


@pytest.fixture
def version() -> TreeVersion:
    return make_tree("data-parallel")


def get(client: Client, person: Person, path: str = TREE) -> BeautifulSoup:
    client.force_login(person)
    response = client.get(path)
    assert response.status_code == 200
    return BeautifulSoup(response.content, "html.parser")


def one(soup: BeautifulSoup, selector: str) -> Tag:
    (found,) = soup.select(selector)
    return found


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def row(soup: BeautifulSoup, key: str) -> str:
    return words(one(soup, f"#probe-{key}"))


def publish(version: TreeVersion) -> None:
    version.status.state, version.status.published_at = VersionState.PUBLISHED, timezone.now()
    version.status.save(update_fields=["state", "published_at"])


@pytest.mark.parametrize("path", [TREE, BANK])
@pytest.mark.parametrize(
    ("name", "status"), [("ada", 200), ("cora", 200), ("mara", 403), ("ana", 403), ("sam", 403), ("eli", 403)]
)
def test_node_statistics_are_for_curators(
    cast: Cast, client: Client, version: TreeVersion, name: str, status: int, path: str
) -> None:
    client.force_login(getattr(cast, name))

    assert client.get(path).status_code == status


def test_unknown_tree_is_not_found(cast: Cast, client: Client) -> None:
    client.force_login(cast.cora)

    assert client.get("/bank/trees/no-such-tree/health/").status_code == 404


# --- before there are enough


def test_nothing_but_words_before_five_applications(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(version, "root", asked=4, stopped=3)

    soup = get(client, cast.cora)

    assert "Not enough yet." in words(one(soup, ".empty"))
    assert soup.select(".plot--flow") == []
    assert row(soup, "root") == "Level 1 root of data-parallel Not enough yet."
    assert row(get(client, cast.cora), "l3") == "Level 3 l3 of data-parallel Not enough yet."


def test_tree_that_was_never_published_says_so(cast: Cast, client: Client) -> None:
    make_tree("data-parallel", state=VersionState.DRAFT)

    soup = get(client, cast.cora)

    assert words(one(soup, ".empty")) == "This tree was never published, so nobody was asked yet."
    assert soup.select("table") == []


def test_retired_tree_keeps_its_figures(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(version, "root")
    version.status.state = VersionState.RETIRED
    version.status.save(update_fields=["state"])

    soup = get(client, cast.cora)

    assert "Version 1, retired." in words(one(soup, ".page__head"))
    assert "12" in row(soup, "root")


# --- figures


def test_each_probe_shows_what_is_known_of_its_wording(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(version, "root", asked=20, stopped=6)
    make_figures(version, "root", wording="older", asked=31)

    soup = get(client, cast.cora)

    cells = [words(cell) for cell in soup.select("#probe-root td")]
    assert cells == ["20", "6", "14 61%", "4", "2", "3", "17", "3", "2", "1", "4 of 3", "not yet", "not yet"]
    assert words(one(soup, "#probe-root th")) == (
        "Level 1 root of data-parallel 31 more in earlier wordings last asked in November 2026"
    )
    assert "Figures of Nov. 30, 2026." in words(one(soup, ".page__head"))


def test_calibration_fills_its_places(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(
        version,
        "root",
        difficulty={"depth": [-0.62, 0.21], "why": [0.4, 0.3]},
        agreement={"depth": 0.714},
        leak={"own": 18.4, "follow_ups": -0.6},
    )

    soup = get(client, cast.cora)

    cells = [words(cell) for cell in soup.select("#probe-root td")][-2:]
    assert cells == ["depth −0.6 ± 0.2 why +0.4 ± 0.3", "depth 0.71"]
    assert words(one(soup, ".health-look")) == (
        "May have leaked root of data-parallel is sustained more often than before (+18 points), and its follow-ups"
        " are not (−1 points). Its answer may have got around: ask it another way."
    )
    assert "may have leaked" in row(soup, "root")


def test_rise_that_the_follow_ups_share_is_no_alarm(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(version, "root", leak={"own": 18.4, "follow_ups": 15})

    assert "Nothing stands out." in words(one(get(client, cast.cora), "section[aria-labelledby=look]"))


def test_deeper_probe_with_more_passes_is_said_with_both_numbers(
    cast: Cast, client: Client, version: TreeVersion
) -> None:
    make_figures(version, "l2", outcomes={"sustained": 7})
    make_figures(version, "l3", outcomes={"sustained": 11})

    said = words(one(get(client, cast.cora), ".health-look"))

    assert said.startswith(
        "Out of order More answers were sustained to l3 of data-parallel (level 3)"
        " than to l2 of data-parallel (level 2): 11 against 7."
    )


def test_trial_says_how_far_it_is(cast: Cast, client: Client) -> None:
    version = make_tree("data-parallel", state=VersionState.DRAFT)
    version.probes.filter(key__in=["l2", "l3", "l4"]).update(scoring=Scoring.TRIAL)
    publish(version)
    make_figures(version, "l2", outcomes={"sustained": 20, "recited": 12})
    make_figures(version, "l3", outcomes={"sustained": 10})

    soup = get(client, cast.cora)

    assert "on trial: enough data to be scored" in row(soup, "l2")
    assert "on trial: 10 of 30 marks" in row(soup, "l3")
    assert row(soup, "l4") == "Level 4 l4 of data-parallel on trial Not enough yet."
    assert words(one(soup, ".health-look")).startswith(
        "Trial is over l2 of data-parallel has enough data to be scored: 32 marks from 12 applications."
    )


def test_changes_of_the_draft_are_marked(cast: Cast, client: Client, version: TreeVersion) -> None:
    """The figures shown are the published version's; what the draft words anew will start without any."""
    draft = make_tree("data-parallel", number=2, state=VersionState.DRAFT, depth=5)
    draft.probes.filter(key="l2").update(prompt={"en": "What else about l2?"})
    draft.probes.filter(key="l3").update(minutes=9)
    make_figures(version, "l2")
    make_figures(version, "l3")

    soup = get(client, cast.cora)

    assert "version 2 words it anew: no figures yet" in row(soup, "l2")
    assert "words it anew" not in row(soup, "l3")
    assert "Version 2, not published yet, adds: l5 of data-parallel . No figures yet." in words(soup)


# --- the picture


def test_picture_shows_where_candidates_stop(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(version, "root", asked=20, stopped=6)
    make_figures(version, "l2", asked=12, stopped=9)

    soup = get(client, cast.cora)

    assert words(one(soup, "figcaption")) == (
        "20 applications came to this tree. Most often it ends at l2 of data-parallel (level 2): 9 of the 12 that came"
        " so far. Level 2, l2 of data-parallel , was reached by 12."
    )
    picture = one(soup, ".plot--flow")
    assert [rect["width"] for rect in picture.select("rect.p-reached")] == ["330.0", "198.0"]
    assert [rect["width"] for rect in picture.select("rect.p-stopped")] == ["99.0", "148.5"]
    assert [path["stroke-width"] for path in picture.select("path.p-flow")] == ["6.6"]
    assert len(picture.select("path.p-gap")) == 4
    assert picture["role"] == "img"
    for name in ("aria-labelledby", "aria-describedby"):
        assert soup.select(f"#{picture[name]}")


def test_drawing_holds_numbers_only(cast: Cast, client: Client, version: TreeVersion) -> None:
    make_figures(version, "root")
    make_figures(version, "l2")

    picture = one(get(client, cast.cora), ".plot--flow")

    for path in picture.select("path"):
        assert re.fullmatch(r"[MHVQ0-9 .\-]+", str(path["d"]))


# --- the bank


@pytest.mark.parametrize(("name", "shown"), [("cora", True), ("ada", True), ("mara", False), ("ana", False)])
def test_ways_here_are_shown_to_who_may_go(
    cast: Cast, client: Client, version: TreeVersion, name: str, shown: bool
) -> None:
    ways = {
        str(link["href"])
        for path in ("/bank/", "/bank/trees/data-parallel/")
        for link in get(client, getattr(cast, name), path).select("a[href]")
    }

    assert ({TREE, BANK, "/bank/suggestions/"} <= ways) is shown
    assert ({TREE, BANK, "/bank/suggestions/"} & ways == set()) is not shown


def test_bank_lists_trees_with_most_to_look_at_first(cast: Cast, client: Client, version: TreeVersion) -> None:
    other = make_tree("zero-stages")
    make_tree("no-figures")
    make_tree("never-published", state=VersionState.DRAFT)
    make_figures(version, "root")
    make_figures(other, "root", leak={"own": 30, "follow_ups": 0})

    rows = [words(line) for line in get(client, cast.cora, BANK).select(".health-list tbody tr")]

    assert rows == [
        "Zero stages 12 1 may have leaked 1 of 6",
        "Data parallel 12 nothing stands out 1 of 6",
        "No figures not enough yet 0 of 6",
    ]


@pytest.mark.parametrize("path", [TREE, BANK])
def test_pages_take_the_same_queries_for_few_and_many(
    cast: Cast, client: Client, version: TreeVersion, path: str, django_assert_num_queries: Any
) -> None:
    client.force_login(cast.cora)
    make_figures(version, "root")
    expected = {TREE: 8, BANK: 5}[path]
    with django_assert_num_queries(expected):
        client.get(path)
    for key in ("l2", "l3", "l4"):
        make_figures(version, key)
        make_figures(make_tree(f"tree-{key}"), "root")
    make_tree("data-parallel", number=2, state=VersionState.DRAFT)

    with django_assert_num_queries(expected):
        client.get(path)
