"""Puts together what the review page shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from people.models import Person
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.forms.review import CommentForm
from questionbank.models import Probe, ReviewComment, TreeVersion
from questionbank.outline_diff import compare
from questionbank.rules import UNPUBLISHED
from questionbank.services.readiness import Blocker, blockers, remarks
from questionbank.versions import before, comments_on, last_return
from questionbank.views.comparing import DrawnChange, draw_diff
from questionbank.views.drawing import DrawnProbe
from questionbank.wording import AIMS, SIGNALS, STATES


@dataclass(slots=True)
class Reviewed:
    """One probe under review: what it says, what changed in it, what stops it, what is said about it."""

    key: str
    node: DrawnProbe
    signals: list[tuple[object, list[dict[str, str]]]]
    anchors: list[tuple[object, list[tuple[int, dict[str, str]]]]]
    change: DrawnChange | None
    blockers: list[Blocker] = field(default_factory=list)
    remarks: list[Blocker] = field(default_factory=list)
    comments: list[ReviewComment] = field(default_factory=list)
    form: CommentForm | None = None


def draw_review(version: TreeVersion, person: Person, form: CommentForm | None = None) -> dict[str, Any]:
    """Return the page's context. `form` is a comment that was refused, and is shown again where it was written."""
    whole = queries.whole(version)
    base = before(version)
    old = queries.whole(base).outline if base else None
    drawn = draw_diff(compare(old, whole.outline), old, whole.outline) if old else None
    changes = {change.key: change for change in drawn.changes} if drawn else {}
    stops, slips = blockers(whole.outline), remarks(whole.outline)
    comments = list(comments_on(version))
    probes = [_reviewed(probe, changes.get(probe.key)) for probe in whole.probes]
    known = {one.key for one in probes}
    for one in probes:
        one.blockers = [stop for stop in stops if stop.probe == one.key]
        one.remarks = [slip for slip in slips if slip.probe == one.key]
        one.comments = [comment for comment in comments if comment.probe_key == one.key]
        one.form = form if form and form.data.get("probe_key") == one.key else None
    state = VersionState(version.status.state)
    return {
        "version": version,
        "state": STATES[state],
        "open": state in UNPUBLISHED,
        "in_review": state is VersionState.IN_REVIEW,
        "mine": state is VersionState.IN_REVIEW and version.status.reviewer_id == person.pk,
        "base": base,
        "head": changes.get(""),
        "probes": probes,
        "n_changed": sum(one.change is not None for one in probes),
        "removed": [change for change in changes.values() if change.how == "removed"],
        "stops": stops,
        "tree_remarks": [slip for slip in slips if not slip.probe],
        "tree_comments": [comment for comment in comments if comment.probe_key not in known],
        "tree_form": form if form and form.data.get("probe_key", "") not in known else None,
        "n_open": _n_open(comments),
        "returned": last_return(version),
    }


def draw_comments(version: TreeVersion, probe: str, form: CommentForm | None) -> dict[str, Any]:
    """Return the context of the comments on one probe, or with "" on the tree, as an answer to one of its forms."""
    known = set(version.probes.values_list("key", flat=True))
    about = probe if probe in known else ""
    comments = list(comments_on(version))
    found = [one for one in comments if (one.probe_key if one.probe_key in known else "") == about]
    open_still = version.status.state in UNPUBLISHED
    return {
        "version": version,
        "probe": about,
        "comments": found,
        "form": form,
        "open": open_still,
        "n_open": _n_open(comments),
        "alone": True,
    }


def _n_open(comments: Iterable[ReviewComment]) -> int:
    return sum(comment.resolved_at is None for comment in comments)


def _reviewed(probe: Probe, change: DrawnChange | None) -> Reviewed:
    node = DrawnProbe(probe)
    return Reviewed(
        key=probe.key,
        node=node,
        signals=[(SIGNALS[kind], texts) for kind, texts in node.signals.items()],
        anchors=[(AIMS[aim], texts) for aim, texts in node.anchors.items()],
        change=change,
    )
