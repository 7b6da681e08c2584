"""The history of a draft: each edit is kept with what it changed, and can be taken back by who made it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.utils import timezone

from people import audit
from people.models import Person
from questionbank.edits import history
from questionbank.edits.refusal import EditRefused
from questionbank.enums import DraftOp
from questionbank.models import DraftEdit, Probe, Tree, TreeVersion
from questionbank.outline import OutlineTree
from questionbank.services.writing import note_author

ONE_SITTING: Final = timedelta(minutes=2)
"""Saves of one field that follow each other within this time are one edit: undo takes back what was typed at once."""
FURTHEST_BACK: Final = 100
"""So many of one's own edits are looked at for one that can still be taken back."""
WAYS_BACK: Final = (DraftOp.UNDO.value, DraftOp.REDO.value)


def last_edit(version: TreeVersion) -> DraftEdit | None:
    return version.edits.select_related("by").order_by("-number").first()


def last_of(version: TreeVersion, key: str) -> DraftEdit | None:
    """Return the newest edit that touched a probe, or with "" the head."""
    edits = version.edits.select_related("by").order_by("-number")
    return (edits.filter(keys__contains=[key]) if key else edits.filter(keys=[])).first()


@dataclass(frozen=True, slots=True)
class StepBack:
    """The edit that undo takes back, the tree without it, and the newer ones that it passes over.

    What others wrote over can't be taken back, and doesn't bar the way to what was done before.
    """

    edit: DraftEdit
    outline: OutlineTree
    passed: tuple[DraftEdit, ...] = ()


def step_back(version: TreeVersion, by: Person, outline: OutlineTree) -> StepBack | None:
    """Return what undo would do for this person, None where they have nothing to take back.

    Raises EditRefused, that of the newest edit, where none of the last `FURTHEST_BACK` can be taken back any more.
    """
    edits = version.edits.filter(by=by, undone=False).exclude(op__in=WAYS_BACK).order_by("-number")
    newest = edits.first()
    if newest is None:
        return None
    try:
        return StepBack(newest, taken_back(newest, outline))
    except EditRefused as refused:
        passed = [newest]
        for edit in edits[1:FURTHEST_BACK]:
            try:
                return StepBack(edit, taken_back(edit, outline), tuple(passed))
            except EditRefused:
                passed.append(edit)
        raise refused from None


def undoable(version: TreeVersion, by: Person, outline: OutlineTree) -> DraftEdit | None:
    """Return the edit of this person that undo would take back."""
    try:
        step = step_back(version, by, outline)
    except EditRefused:
        return None
    return step.edit if step else None


def redoable(version: TreeVersion, by: Person) -> DraftEdit | None:
    """Return this person's newest undoing that isn't redone, unless they edited something else since."""
    undo = version.edits.filter(by=by, undone=False, op=DraftOp.UNDO.value).order_by("-number").first()
    if undo is None:
        return None
    since = version.edits.filter(by=by, number__gt=undo.number).exclude(op__in=WAYS_BACK)
    return None if since.exists() else undo


def used_keys(tree: Tree) -> set[str]:
    """Return every probe key that any version of the tree has, or had before it was edited."""
    keys = set(Probe.objects.filter(version__tree=tree).values_list("key", flat=True))
    for touched in DraftEdit.objects.filter(version__tree=tree).exclude(keys=[]).values_list("keys", flat=True):
        keys.update(touched)
    return keys


def keep(
    version: TreeVersion,
    old: OutlineTree,
    new: OutlineTree,
    *,
    by: Person,
    op: DraftOp,
    key: str = "",
    field: str = "",
    undoes: DraftEdit | None = None,
) -> tuple[DraftEdit, int]:
    """Keep an edit, together with the one before it where both wrote one field; return it and the number before it."""
    last = last_edit(version)
    before = last.number if last else 0
    note_author(version, by)
    if last and field and _continues(last, by, op, key, field):
        start = history.apply(old, history.inverse(_delta(last)))
        last.delta, last.number, last.at = history.between(start, new), before + 1, timezone.now()
        last.save(update_fields=["delta", "number", "at"])
        return last, before
    delta = history.between(old, new)
    edit = DraftEdit.objects.create(
        version=version,
        number=before + 1,
        by=by,
        op=op.value,
        probe_key=key,
        field=field,
        keys=list(history.touched(delta)),
        delta=delta,
        undoes=undoes,
    )
    audit.record(by, "draft.edited", version, op=op.value, edit=edit.number)
    return edit, before


def _continues(last: DraftEdit, by: Person, op: DraftOp, key: str, field: str) -> bool:
    return (
        last.by_id == by.pk
        and not last.undone
        and (last.op, last.probe_key, last.field) == (op.value, key, field)
        and timezone.now() - last.at < ONE_SITTING
    )


def _delta(edit: DraftEdit) -> history.Delta:
    return edit.delta  # type: ignore[no-any-return]


def taken_back(edit: DraftEdit, outline: OutlineTree) -> OutlineTree:
    """Return the tree without what the edit did. Raises EditRefused `changed_since`."""
    return history.apply(outline, history.inverse(_delta(edit)))


def mark(edits: Iterable[DraftEdit], *, undone: bool) -> None:
    DraftEdit.objects.filter(pk__in=[edit.pk for edit in edits]).update(undone=undone)
