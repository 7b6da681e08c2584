"""The nightly snapshot: what closed applications say about probes, written down to the bank."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date

from django.db import transaction

from people.locks import Lock, queue_on
from questionbank.models import ProbeFigures
from scoring.models import CountedApplication
from scoring.queries.figures import closed_applications, load_asked, load_counted, load_heard, load_parents
from scoring.rules.figures import AskedOnce, Figures, Wording, figures_of, next_batches
from scoring.rules.leak import Rise, below, rise_of


@transaction.atomic
def write_figures(today: date) -> int:
    """Take what is new into the figures of every probe where five or more closed applications wait; return how many
    probes moved. Run twice, the second run changes nothing.
    """
    queue_on(Lock.FIGURES)
    closed = list(closed_applications().values_list("pk", flat=True))
    asked, counted = load_asked(closed), load_counted()
    batches = next_batches(asked, counted)
    if not batches:
        return 0
    heard = load_heard(closed)
    CountedApplication.objects.bulk_create(
        CountedApplication(
            application_id=application, tree_id=wording.tree, probe_key=wording.key, content_hash=wording.content
        )
        for wording, applications in batches.items()
        for application in sorted(applications)
    )
    by_tree: dict[int, list[AskedOnce]] = {}
    for one in asked:
        by_tree.setdefault(one.wording.tree, []).append(one)
    parents = load_parents(by_tree)
    rows = []
    for wording, applications in batches.items():
        taken, ours = applications | counted.get(wording, set()), by_tree[wording.tree]
        rise = rise_of(wording, below(wording.key, parents[wording.tree]), taken, ours, heard)
        rows.append(_row(wording, figures_of(wording, taken, ours, heard), rise, today))
    ProbeFigures.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["tree", "probe_key", "content_hash"],
        update_fields=[
            "asked",
            "stopped",
            "minutes",
            "outcomes",
            "aids",
            "last_used_on",
            "counted_on",
            "moved",
            "leak",
        ],
    )
    return len(rows)


def _row(wording: Wording, figures: Figures, rise: Rise | None, today: date) -> ProbeFigures:
    return ProbeFigures(
        tree_id=wording.tree,
        probe_key=wording.key,
        content_hash=wording.content,
        asked=figures.asked,
        stopped=figures.stopped,
        minutes=figures.minutes,
        outcomes={outcome.value: count for outcome, count in figures.outcomes.items()},
        aids={aid.value: count for aid, count in figures.aids.items()},
        last_used_on=figures.last_used,
        counted_on=today,
        leak={name: round(value, 1) for name, value in asdict(rise).items()} if rise else {},
        moved=True,
    )
