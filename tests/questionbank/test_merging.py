"""Merging two probes: one is kept, the other sends on to it, and history stays."""

from __future__ import annotations

from datetime import date

import pytest

from people.models import AuditEntry
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.health_reads import health_of
from questionbank.models import Probe, ProbeFigures, Redirect, TreeVersion, VersionAuthor
from questionbank.outline import version_hash, walk
from questionbank.queries.duplicates import merged_figures, merged_into
from questionbank.services import editing
from questionbank.services.edit_refusals import Conflict
from questionbank.services.merging import CannotMerge, merge, plan_merge, unmerge
from questionbank.services.writing import settle
from tests.cast import Cast
from tests.support.drafts import change
from tests.support.factories import make_tree

pytestmark = pytest.mark.db


@pytest.fixture
def trees(db: None) -> tuple[TreeVersion, TreeVersion]:
    """Two published trees, alpha and beta."""
    return make_tree("alpha"), make_tree("beta")


def test_the_merged_probe_leaves_the_next_draft_and_no_published_version(
    cast: Cast, trees: tuple[TreeVersion, TreeVersion]
) -> None:
    alpha, beta = trees
    before = queries.whole(queries.tree_version("beta", 1).version).outline

    redirect, draft = merge(("alpha", "l3"), ("beta", "l2"), reason=" The same question. ", by=cast.cora)

    assert (redirect.tree, redirect.key, redirect.to_tree, redirect.to_key) == (beta.tree, "l2", alpha.tree, "l3")
    assert (redirect.by, redirect.reason) == (cast.cora, "The same question.")
    assert queries.tree_version("beta", 1).outline == before
    assert (draft.number, draft.status.state) == (2, VersionState.DRAFT)
    whole = queries.tree_version("beta", 2)
    assert [(one.probe.key, one.level) for one in walk(whole.outline)] == [
        ("root", 1), ("l3", 2), ("l4", 3), ("l2-again", 1), ("root-rescue", 1),
    ]  # fmt: skip
    assert {probe.key: probe.level for probe in whole.probes}["l4"] == 3
    assert whole.version.content_hash == version_hash(whole.outline)
    assert VersionAuthor.objects.filter(version=draft, person=cast.cora).exists()
    assert AuditEntry.objects.filter(action="probe.merged", actor=cast.cora).count() == 1


def test_an_open_draft_is_the_one_that_loses_it(cast: Cast, trees: tuple[TreeVersion, TreeVersion]) -> None:
    draft = make_tree("beta", number=2, state=VersionState.DRAFT)

    _redirect, changed = merge(("alpha", "l3"), ("beta", "l4"), reason="", by=cast.cora)

    assert changed == draft
    assert not draft.probes.filter(key="l4").exists()
    assert TreeVersion.objects.count() == 3


def test_a_merge_is_an_edit_of_the_draft_that_others_see_and_that_can_be_undone(
    cast: Cast, trees: tuple[TreeVersion, TreeVersion]
) -> None:
    draft = make_tree("beta", number=2, state=VersionState.DRAFT)
    settle(draft)
    before = queries.tree_version("beta", 2).outline

    merge(("alpha", "l3"), ("beta", "l2"), reason="", by=cast.cora)

    with pytest.raises(Conflict) as gone:
        editing.change_field(draft, by=cast.ada, key="l2", name="minutes", was="3", value="9")
    assert (gone.value.kind, gone.value.by) == ("gone", "Cora")
    editing.undo(draft, by=cast.cora)
    assert queries.tree_version("beta", 2).outline == before


def test_a_merge_throws_nothing_away_that_was_not_shown(cast: Cast, trees: tuple[TreeVersion, TreeVersion]) -> None:
    draft = make_tree("beta", number=2, state=VersionState.DRAFT)
    settle(draft)
    names = ("alpha", "l3"), ("beta", "l2")
    for field, words in (("prompt.en", "Ada's words"), ("heard.en", "Ada heard"), ("anchors.why.3.en", "Ada's anchor")):
        shown = plan_merge(*names).print
        change(draft, cast.ada, field, words)

        with pytest.raises(CannotMerge):
            merge(*names, reason="", by=cast.cora, shown=shown)

    assert draft.probes.get(key="l2").prompt["en"] == "Ada's words"
    merge(*names, reason="", by=cast.cora, shown=plan_merge(*names).print)
    assert not draft.probes.filter(key="l2").exists()


@pytest.mark.parametrize(
    ("kept", "merged", "says"),
    [
        (("alpha", "l2"), ("alpha", "l2"), "one and the same"),
        (("alpha", "l2"), ("beta", "gone"), "isn't in the bank any more"),
        (("gone", "l2"), ("beta", "l2"), "isn't in the bank any more"),
        (("alpha", "l2"), ("beta", "root"), "starts its tree"),
    ],
)
def test_what_cannot_be_merged_is_refused(
    cast: Cast, trees: object, kept: tuple[str, str], merged: tuple[str, str], says: str
) -> None:
    with pytest.raises(CannotMerge, match=says):
        merge(kept, merged, reason="", by=cast.cora)

    assert Redirect.objects.count() == 0
    assert TreeVersion.objects.count() == 2


def test_a_version_in_review_keeps_its_probes(cast: Cast, trees: object) -> None:
    make_tree("beta", number=2, state=VersionState.IN_REVIEW)

    with pytest.raises(CannotMerge, match="Version 2 of its tree is in review"):
        merge(("alpha", "l3"), ("beta", "l2"), reason="", by=cast.cora)


def test_redirects_lead_to_the_end_and_never_round(cast: Cast, trees: object) -> None:
    make_tree("gamma")
    merge(("beta", "l2"), ("alpha", "l2"), reason="", by=cast.cora)
    merge(("gamma", "l3"), ("beta", "l2"), reason="", by=cast.cora)

    assert merged_into(("alpha", "l2")) == ("gamma", "l3")
    assert merged_into(("beta", "l2")) == ("gamma", "l3")
    assert merged_into(("gamma", "l3")) is None
    with pytest.raises(CannotMerge, match=r"isn't in the bank any more|merged itself"):
        plan_merge(("alpha", "l2"), ("gamma", "l3"))


def earlier(tree: str, key: str) -> int:
    """How often the health page says a probe was asked in other words."""
    return {one.node.key: one.earlier for one in health_of(tree).health.probes}[key]


def test_figures_follow_the_merge(cast: Cast, trees: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = trees
    for tree, key, day in ((alpha.tree, "l3", 1), (beta.tree, "l2", 2), (beta.tree, "l4", 3)):
        ProbeFigures.objects.create(
            tree=tree, probe_key=key, content_hash=key, asked=10 * day, last_used_on=date(2026, day, 1)
        )
    gamma = make_tree("gamma")
    ProbeFigures.objects.create(tree=gamma.tree, probe_key="l4", content_hash="g", asked=40)
    assert earlier("alpha", "l3") == 10

    merge(("beta", "l2"), ("gamma", "l4"), reason="", by=cast.cora)
    redirect, _draft = merge(("alpha", "l3"), ("beta", "l2"), reason="", by=cast.cora)
    assert [(kept, row.asked) for kept, row in merged_figures(alpha.tree)] == [("l3", 20), ("l3", 40)]
    assert earlier("alpha", "l3") == 70
    assert earlier("alpha", "l2") == 0

    unmerge(redirect, by=cast.cora)
    assert earlier("alpha", "l3") == 10
    assert merged_into(("beta", "l2")) is None
    assert Probe.objects.filter(version=beta, key="l2").exists()
    assert AuditEntry.objects.filter(action="probe.unmerged").count() == 1
