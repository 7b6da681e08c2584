"""Bringing files into the bank: versions, counts, all or nothing."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from people.models import AuditEntry
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.exchange.files import read_paths
from questionbank.exchange.readings import Reading
from questionbank.exchange.yaml import read
from questionbank.models import Anchor, Plan, Probe, Signal, Topic, Tree, TreeVersion, VersionStatus
from questionbank.outline import walk
from questionbank.services.drafting import OpenVersion, new_draft
from questionbank.services.importing import ImportRefused, Report, import_readings
from questionbank.services.plans import UnknownTrees, create_plan
from questionbank.services.previews import as_value, preview_of
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.threads import one_after_other

pytestmark = [pytest.mark.db, pytest.mark.django_db]

BANK = Path(__file__).resolve().parents[2] / "questionbank" / "bank"
PLAN = "format: 1\nplan: hours\nname: Hours\nrequired_aims: [why]\ntrees:\n  - {tree: clocks, minutes: 9}\n"
OTHER_TREE = SOURCE.replace("tree: clocks", "tree: watches")
TABLES = (Topic, Tree, TreeVersion, VersionStatus, Probe, Signal, Anchor, Plan, AuditEntry)


def reading(source: str = SOURCE, file: str = "clocks.yaml") -> Reading:
    return read(source.encode(), file=file)


def counts(report: Report) -> tuple[int, ...]:
    return (report.topics, report.trees, report.probes, report.added, report.changed, report.left, report.not_placed)


def rows() -> dict[str, list[dict[str, Any]]]:
    """Return the content of every table of the bank."""
    return {table.__name__: list(table.objects.order_by("pk").values()) for table in TABLES}


def state(version: TreeVersion) -> str:
    return VersionStatus.objects.get(version=version).state


def test_import_of_a_new_tree_makes_version_1_as_a_draft() -> None:
    report = import_readings([reading()])

    assert counts(report) == (1, 1, 2, 2, 0, 0, 0)
    version = TreeVersion.objects.get()
    assert (version.tree.key, version.number, version.source_text) == ("clocks", 1, SOURCE)
    assert state(version) == VersionState.DRAFT
    whole = queries.whole(version)
    assert whole.outline == reading().tree
    assert [(probe.key, probe.level, probe.position) for probe in whole.probes] == [
        ("clock-root", 1, 0),
        ("clock-next", 2, 1),
    ]


def test_import_of_the_starter_bank_keeps_every_word() -> None:
    readings = read_paths([BANK])

    report = import_readings(readings, publish=True)

    given = {one.tree.key: one.tree for one in readings if one.tree}
    topics, probes = {tree.topic.key for tree in given.values()}, sum(len(tree.probes) for tree in given.values())
    assert counts(report) == (len(topics), len(given), probes, probes, 0, 0, 0)
    assert report.plans == {"training-systems": "added"}
    stored = {whole.outline.key: whole.outline for whole in queries.whole_trees(queries.published_trees())}
    # Probes come back in reading order, which is one of the orders that say the same.
    assert stored.keys() == given.keys()
    for key, tree in given.items():
        assert [placed.probe for placed in walk(stored[key])] == [placed.probe for placed in walk(tree)]


def test_import_of_the_same_file_twice_changes_nothing() -> None:
    import_readings([reading(), reading(PLAN, "plan.yaml")], publish=True)
    before = rows()

    report = import_readings([reading(), reading(PLAN, "plan.yaml")], publish=True)

    assert counts(report) == (1, 1, 2, 0, 0, 2, 0)
    assert report.plans == {"hours": "left"}
    assert rows() == before


def test_import_of_another_layout_changes_nothing() -> None:
    import_readings([reading()])
    before = rows()
    laid_out_otherwise = "# a remark\n" + SOURCE.replace("title: {en: Clocks}", "title:\n  en: >-\n    Clocks")

    import_readings([reading(laid_out_otherwise)])

    assert rows() == before


def test_import_of_a_changed_file_makes_the_next_version() -> None:
    import_readings([reading()], publish=True)
    first = TreeVersion.objects.get()
    kept = queries.whole(first)
    changed = SOURCE.replace("has set one", "has set many") + SOURCE.split("probes:\n")[1].split("  - key: clock-next")[
        0
    ].replace("  - key: clock-root\n    level: 1\n", "  - key: clock-third\n    after: clock-root\n    level: 2\n")

    report = import_readings([reading(changed)])

    assert counts(report) == (1, 1, 3, 1, 1, 1, 0)
    assert (report.changes[0].number, report.changes[0].new) == (2, True)
    second = TreeVersion.objects.get(number=2)
    assert state(second) == VersionState.DRAFT
    assert state(first) == VersionState.PUBLISHED
    assert queries.whole(first).outline == kept.outline
    assert list(queries.published_trees()) == [first]


def test_import_counts_a_removed_probe_and_a_changed_head() -> None:
    import_readings([reading()])

    report = import_readings([reading(SOURCE.replace("minutes: 12", "minutes: 13"))])
    assert report.changes[0].head_changed
    assert counts(report)[3:6] == (0, 0, 2)

    report = import_readings([reading(SOURCE.split("  - key: clock-next")[0])])
    assert report.changes[0].probes.removed == ("clock-next",)
    assert counts(report) == (1, 1, 1, 0, 0, 1, 0)


def test_probe_keeps_its_content_hash_when_only_its_place_changes() -> None:
    import_readings([reading()])

    import_readings(
        [reading(SOURCE.replace("when: [sustained]", "when: [partial]").replace("minutes: 4", "minutes: 5"))]
    )

    hashes = Probe.objects.filter(key="clock-next").values_list("content_hash", flat=True)
    assert len(hashes) == 2
    assert len(set(hashes)) == 1


def test_dry_run_says_the_same_and_writes_nothing() -> None:
    import_readings([reading()])
    before = rows()
    readings = [reading(SOURCE.replace("minutes: 4", "minutes: 5")), reading(PLAN, "plan.yaml")]

    preview = import_readings(readings, publish=True, dry_run=True)

    assert rows() == before
    assert preview == import_readings(readings, publish=True)


def test_publish_publishes_a_draft_that_equals_the_file(cast: Cast) -> None:
    import_readings([reading()])

    report = import_readings([reading()], by=cast.cora, publish=True)

    assert counts(report)[3:6] == (0, 0, 2)
    assert report.changes[0].published
    status = VersionStatus.objects.get()
    assert (status.state, status.published_by) == (VersionState.PUBLISHED, cast.cora)
    assert status.published_at is not None
    assert AuditEntry.objects.filter(action="tree.published", actor=cast.cora).count() == 1


def test_published_version_stays_published_when_its_file_comes_as_a_draft() -> None:
    import_readings([reading()], publish=True)

    import_readings([reading()])

    assert VersionStatus.objects.get().state == VersionState.PUBLISHED


@pytest.mark.parametrize(
    ("readings", "codes"),
    [
        # A sound file beside a faulty one: neither gets in, and every error of every file is said.
        (
            [reading(), reading(SOURCE.replace("kind: probe", "kind: x").replace("en: e}", "de: e}"), "b.yaml")],
            ["not_choice", "language_missing"],
        ),
        ([reading(), reading(file="again.yaml")], ["tree_twice"]),
        (
            [
                reading(),
                reading(SOURCE.replace("tree: clocks", "tree: c").replace("{en: Time}", "{en: Times}"), "b.yaml"),
            ],
            ["topic_differs"],
        ),
        ([reading(PLAN, "plan.yaml")], ["unknown_tree"]),
        ([reading(), reading(PLAN.replace("minutes: 9", "minutes: 0"), "plan.yaml")], ["not_integer"]),
        ([reading("- a")], ["not_mapping"]),
    ],
)
@pytest.mark.parametrize("dry_run", [False, True])
def test_faulty_file_changes_nothing_at_all(readings: list[Reading], codes: list[str], dry_run: bool) -> None:
    before = rows()

    with pytest.raises(ImportRefused) as refused:
        import_readings(readings, dry_run=dry_run)

    assert [problem.code for problem in refused.value.problems] == codes
    assert rows() == before


def test_publish_refuses_what_raters_could_not_use() -> None:
    lacking = reading(SOURCE.replace("weak: [{en: They do not}]", "weak: []").replace(", 4: {en: e}", ""))
    import_readings([lacking])

    with pytest.raises(ImportRefused) as refused:
        import_readings([lacking], publish=True)

    assert [(problem.code, problem.place) for problem in refused.value.problems] == [
        ("no_signals", "clock-root.signals"),
        ("no_anchors", "clock-next.anchors.depth"),
    ]
    assert VersionStatus.objects.get().state == VersionState.DRAFT


def test_import_renames_a_topic_and_moves_a_tree() -> None:
    import_readings([reading()])
    elsewhere = SOURCE.replace("key: time", "key: distance").replace("{en: Time}", "{en: Distance}")

    report = import_readings([reading(SOURCE.replace("{en: Time}", "{en: Hours}"))])
    assert report.topics_renamed == ["time"]
    assert Topic.objects.get().title == {"en": "Hours"}

    report = import_readings([reading(elsewhere)])
    assert report.changes[0].moved
    assert Tree.objects.get().topic.key == "distance"
    assert TreeVersion.objects.count() == 1, "the topic is the tree's, not the version's"


def test_topic_keeps_its_title_in_languages_that_a_file_lacks() -> None:
    """Two files name one topic, each in its own language; neither takes the other's words away."""
    chinese = SOURCE.replace("tree: clocks", "tree: zhong").replace("{en: ", "{zh-Hans: ").replace("[en]", "[zh-Hans]")
    both = [reading(), reading(chinese, "b.yaml")]

    import_readings(both)
    again = import_readings([both[0]])

    assert Topic.objects.get().title == {"en": "Time", "zh-Hans": "Time"}
    assert again.topics_renamed == []


def test_import_asks_the_same_number_of_queries_however_many_trees(django_assert_num_queries: Any) -> None:
    def several(count: int) -> list[Reading]:
        return [reading(SOURCE.replace("tree: clocks", f"tree: clocks-{n}"), f"{n}.yaml") for n in range(count)]

    import_readings(several(3))
    # Savepoint, lock, topics, trees locked, newest versions, their probes, signals and anchors, release.
    for count in (1, 3):
        with django_assert_num_queries(9):
            import_readings(several(count))


# --- plans


def test_import_of_a_changed_plan_brings_it_to_the_file(cast: Cast) -> None:
    import_readings([reading(), reading(PLAN, "plan.yaml")])

    report = import_readings([reading(PLAN.replace("minutes: 9", "minutes: 11"), "plan.yaml")], by=cast.cora)

    assert report.plans == {"hours": "changed"}
    [plan] = queries.plans()
    assert (plan.name, plan.n_trees, plan.total_minutes, plan.required_aims) == ("Hours", 1, 11, ["why"])


def test_create_plan_orders_its_trees_and_is_repeatable() -> None:
    import_readings(read_paths([BANK]), publish=True)
    trees = [("zero-stages", 15), ("data-parallel-training", 20)]

    for _ in range(2):
        plan = create_plan(key="short", name="Short", trees=trees)

    chosen = queries.plan_trees(plan)
    assert [(entry.tree.key, entry.minutes) for entry, _version in chosen] == trees
    assert [version.number for _entry, version in chosen if version] == [1, 1]
    with pytest.raises(UnknownTrees):
        create_plan(key="short", name="Short", trees=[("no-such-tree", 5)])
    assert queries.plan_trees(plan) == chosen


def test_plan_shows_a_tree_that_is_not_published_as_without_version() -> None:
    import_readings([reading(), reading(PLAN, "plan.yaml")])

    [(entry, version)] = queries.plan_trees(Plan.objects.get())

    assert entry.tree.key == "clocks"
    assert version is None


def test_imported_published_version_is_frozen() -> None:
    import_readings([reading()], publish=True)

    with pytest.raises(IntegrityError), transaction.atomic():
        Probe.objects.filter(key="clock-root").update(minutes=9)


def test_import_beside_an_open_version_says_whose_it_is(cast: Cast) -> None:
    import_readings([reading()], publish=True)
    new_draft(Tree.objects.get(), cast.cora)
    changed = [reading(SOURCE.replace("minutes: 4", "minutes: 5"))]

    preview = import_readings(changed, dry_run=True)

    assert [str(notice) for notice in preview.notices] == [
        "clocks.yaml:2: tree: Version 2 of `clocks` is open, begun by Cora. The import makes version 3 beside it. "
        "Talk to each other, or compare the two afterwards."
    ]
    assert as_value(preview.notices[0]) in preview_of(changed, preview, [], [])["notices"]
    assert import_readings(changed).notices == preview.notices
    assert import_readings(changed).notices == [], "nothing new, nothing to say"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", ["import", "draft"])
def test_import_and_a_new_draft_at_once_count_on_from_each_other(cast: Cast, first: str) -> None:
    import_readings([reading()], publish=True)
    tree = Tree.objects.get()
    changed = reading(SOURCE.replace("minutes: 4", "minutes: 5"))

    def bring() -> None:
        import_readings([changed])

    def draft() -> None:
        with contextlib.suppress(OpenVersion):
            new_draft(tree, cast.cora)

    one_after_other(*((bring, draft) if first == "import" else (draft, bring)))

    assert [one.number for one in tree.versions.order_by("number")] == ([1, 2] if first == "import" else [1, 2, 3])


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_once_wait_for_each_other() -> None:
    """The second must see what the first wrote, not make the same tree beside it."""
    one, two = one_after_other(lambda: import_readings([reading()]), lambda: import_readings([reading()]))

    assert counts(one)[3:6] == (2, 0, 0)
    assert counts(two)[3:6] == (0, 0, 2)
    assert TreeVersion.objects.count() == 1
