"""A pinned tree as one interview reads it: the published version, with what the lead changed or added there.

Published versions are shared and kept by the process (interviews.queries.pinned); this composes copies of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from interviews.enums import ProbeKind, TreeOp
from interviews.models import AdHocProbe, Interview, TreeEdit
from interviews.queries.pinned import ProbeSays, TreeSays, depth_first, tree_says

TITLE = 80
"""Characters of an own question that the rail and lists show; the page's script cuts as much."""


def edits_of(interview: Interview) -> list[TreeEdit]:
    """What was changed and added, oldest first: one query, none where nothing was."""
    if not interview.has_own:
        return []
    rows = TreeEdit.objects.filter(interview=interview).order_by("seq")
    return list(rows.select_related("text", "own__text", "own__parent__version__tree"))


def tree_here(interview: Interview, key: str) -> TreeSays | None:
    """A pinned tree of this interview by its key, as it reads it now; None where it has no such tree."""
    version = interview.pinned.filter(version__tree__key=key).values_list("version", flat=True).first()
    return None if version is None else edited(tree_says(version), edits_of(interview))


def edited(says: TreeSays, edits: Iterable[TreeEdit]) -> TreeSays:
    """Return the tree with the edits that concern it done in their order. Its boundary's rule stays as it was."""
    concerned = [edit for edit in edits if edit.probe.startswith(f"{says.key}/")]
    if not concerned:
        return says
    probes = {probe.id: probe for probe in says.probes}
    below: dict[str | None, list[str]] = {}
    for probe in says.probes:
        below.setdefault(probe.parent, []).append(probe.id)
    for edit in concerned:
        if edit.op == TreeOp.TEXT and edit.probe in probes and edit.text and edit.text.body:
            told = probes[edit.probe]
            probes[edit.probe] = replace(told, prompt={**told.prompt, edit.language: edit.text.body})
        elif edit.op == TreeOp.ADD and edit.own is not None:
            own = _own_says(edit.own, probes)
            probes[own.id] = own
            below.setdefault(own.parent, []).append(own.id)
        elif edit.op == TreeOp.MOVE and edit.probe in probes:
            _move(edit, probes, below)
    walked = tuple(probes[name] for name in depth_first(below, ""))
    return replace(says, probes=walked, deepest=max((probe.level for probe in walked), default=says.deepest))


def _own_says(own: AdHocProbe, probes: dict[str, ProbeSays]) -> ProbeSays:
    tree = own.parent.version.tree.key
    above = probes[name_of(tree, own.under_id or own.parent.key)]
    words = own.text.body or ""
    return ProbeSays(
        pk=0,
        id=name_of(tree, own.pk),
        parent=above.id,
        level=own.level,
        kind=own.kind,
        aims=tuple(own.aims),
        scored=True,
        minutes=above.minutes,
        title={own.language: words if len(words) <= TITLE else f"{words[: TITLE - 1]}…"},
        prompt={own.language: words},
        outcomes=(),
        heard={},
        signals={},
        anchors=[],
        own=own.pk,
    )


def _move(edit: TreeEdit, probes: dict[str, ProbeSays], below: dict[str | None, list[str]]) -> None:
    moved = probes[edit.probe]
    below[moved.parent].remove(moved.id)
    siblings = below.setdefault(edit.parent, [])
    siblings.insert(siblings.index(edit.after) + 1 if edit.after else 0, moved.id)
    probes[moved.id] = replace(moved, parent=edit.parent)


def name_of(tree: str, key: str | UUID) -> str:
    """A probe's name on the wire; an own question's key is its id."""
    return f"{tree}/{key}"


def own_question(interview: Interview, name: str) -> AdHocProbe | None:
    """The own question of this interview with that name: one query, none where the name can't be one."""
    tree, _slash, key = name.partition("/")
    pk = own_key(key)
    if pk is None:
        return None
    rows = AdHocProbe.objects.filter(interview=interview, parent__version__tree__key=tree, pk=pk)
    return rows.select_related("parent").first()


def own_key(key: str) -> UUID | None:
    """The id that the key of an own question is; None for a key of the bank, and for other spellings of an id.

    One name for one thing: pages and events compare names as they are written.
    """
    try:
        found = UUID(key)
    except ValueError:
        return None
    return found if str(found) == key else None


def level_below(above: int, kind: ProbeKind) -> int:
    """The level of a follow-up: one up, a rescue's the same."""
    return above if kind == ProbeKind.RESCUE else above + 1


def siblings_of(says: TreeSays, parent: str) -> Sequence[ProbeSays]:
    return [probe for probe in says.probes if probe.parent == parent]
