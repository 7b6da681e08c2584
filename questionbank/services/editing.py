"""Editing a draft: one field or one place at a time, saved as it is made, with a way back.

Every edit says what it builds on: the text that stood in the field, the place where the probe stood, what was below it.
Where the draft says otherwise by now, nothing is changed and both are told (`Conflict`). The draft's lock (`drafting`)
makes edits of one draft queue, and keeps sending and publishing out meanwhile.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from people.models import Person
from people.refusal import Refused
from questionbank.edits import fields, shape
from questionbank.edits.history import as_json
from questionbank.edits.keys import copies, free_key, short, slug
from questionbank.edits.refusal import EditRefused
from questionbank.edits.shape import Place
from questionbank.enums import Aim, DraftOp, ProbeKind, VersionState
from questionbank.limits import FINGERPRINT
from questionbank.models import DraftEdit, Topic, TreeVersion
from questionbank.outline import OutlineProbe, OutlineTopic, OutlineTree, Text
from questionbank.rules import may_write
from questionbank.services import draft_history, draft_rows
from questionbank.services.drafting import lock_draft, lock_tree
from questionbank.services.edit_refusals import Conflict, Refusal

NEW_MINUTES = 3


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit did: the tree before and after, and the probe it was about ("" for the head).

    `edit` is None when nothing had to be changed. `before` is the number of the edit before this one: a page that has
    seen less must catch up with what others did. `passed`: what undo passed over, as others wrote over it.
    """

    version: TreeVersion
    old: OutlineTree
    new: OutlineTree
    key: str
    edit: DraftEdit | None
    before: int
    passed: tuple[DraftEdit, ...] = ()


def version_to_edit(person: Person, key: str, number: int | None) -> TreeVersion:
    """Return a version, whatever its state, to somebody who may write; without a number the newest.

    Raises PermissionDenied, TreeVersion.DoesNotExist.
    """
    if not may_write(person.roles):
        raise PermissionDenied
    versions = TreeVersion.objects.select_related("tree__topic", "status").filter(tree__key=key)
    return versions.latest("number") if number is None else versions.get(number=number)


def published_before(version: TreeVersion) -> int | None:
    """Return the number of the newest published version before this one: what a draft is compared with."""
    earlier = version.tree.versions.filter(number__lt=version.number, status__state=VersionState.PUBLISHED)
    return earlier.order_by("-number").values_list("number", flat=True).first()


@dataclass(frozen=True, slots=True)
class _Draft:
    """A locked draft as it is now, and who edits it."""

    rows: draft_rows.DraftRows
    by: Person

    @property
    def outline(self) -> OutlineTree:
        return self.rows.outline

    def save(
        self, new: OutlineTree, op: DraftOp, key: str, *, field: str = "", undoes: DraftEdit | None = None
    ) -> Edited:
        version = self.rows.version
        new = shape.in_reading_order(new)
        if new == self.outline and undoes is None:
            last = draft_history.last_edit(version)
            return Edited(version, new, new, key, None, last.number if last else 0)
        draft_rows.write(self.rows, new)
        edit, before = draft_history.keep(
            version, self.outline, new, by=self.by, op=op, key=key, field=field, undoes=undoes
        )
        return Edited(version, self.outline, new, key, edit, before)

    def probe(self, key: str, *, mine: str = "", name: str = "") -> OutlineProbe:
        """Return a probe. Raises Conflict `gone` with who took it away."""
        try:
            return shape.probe_of(self.outline, key)
        except EditRefused:
            raise self.conflict("gone", key, name=name, mine=mine) from None

    def conflict(self, kind: str, key: str, *, name: str = "", mine: str = "", theirs: str = "") -> Conflict:
        last = draft_history.last_of(self.rows.version, key)
        by, at = (last.by.name, last.at) if last else ("", None)
        return Conflict(kind, key=key, name=name, mine=mine, theirs=theirs, by=by, at=at)


@contextmanager
def _locked(version: TreeVersion, by: Person, *, tree: bool = False) -> Iterator[_Draft]:
    """Lock a draft and read it; with `tree` for edits that may write the tree's own row.

    Raises NotADraft; what the algebra refuses becomes a `Refusal` in words.
    """
    try:
        with transaction.atomic():
            if tree:
                lock_tree(version)
            lock_draft(version)
            # What was read before the lock may be old by now.
            fresh = TreeVersion.objects.select_related("tree__topic", "status").get(pk=version.pk)
            yield _Draft(draft_rows.read(fresh), by)
    except EditRefused as refused:
        raise Refusal(refused) from None


# --- fields


def change_field(
    version: TreeVersion,
    *,
    by: Person,
    key: str,
    name: str,
    was: str,
    value: str,
    along: Mapping[str, str] | None = None,
) -> Edited:
    """Write one field of a probe that was shown as `was`. Raises NotADraft, Conflict, Refusal.

    `along`: what was shown in the fields that go with it, {name: text}; an aim takes its anchors along.
    """
    with _locked(version, by) as draft:
        probe = draft.probe(key, mine=value, name=name)
        _compare(draft, key, name, fields.read_probe(probe, name), was, value)
        changed = fields.write_probe(probe, name, value)
        _compare_along(draft, key, name, fields.gone_along(probe, changed, name), along or {}, value)
        return draft.save(shape.change(draft.outline, changed), DraftOp.CHANGE, key, field=name)


def change_head(version: TreeVersion, *, by: Person, name: str, was: str, value: str) -> Edited:
    """Write one field of the tree's head; its topic is that of all its versions. Raises as `change_field`."""
    with _locked(version, by, tree=name == "topic") as draft:
        if name == "topic":
            _compare(draft, "", name, draft.outline.topic.key, was, value)
            return draft.save(replace(draft.outline, topic=_topic(value)), DraftOp.HEAD, "", field=name)
        _compare(draft, "", name, fields.read_head(draft.outline, name), was, value)
        return draft.save(fields.write_head(draft.outline, name, value), DraftOp.HEAD, "", field=name)


def add_language(version: TreeVersion, *, by: Person, tag: str, title: str) -> Edited:
    """Begin another language with the tree's title in it; its other texts can then be written."""
    with _locked(version, by) as draft:
        if tag in fields.languages(draft.outline):
            raise Refused(_("The tree has this language already."), field="tag")
        return draft.save(fields.write_head(draft.outline, f"title.{tag}", title), DraftOp.LANGUAGE, "")


def _topic(key: str) -> OutlineTopic:
    topic = Topic.objects.filter(key=key).first()
    if topic is None:
        raise EditRefused("not_choice")
    return OutlineTopic(topic.key, topic.title)


def _compare(draft: _Draft, key: str, name: str, stored: str, was: str, value: str) -> None:
    """Refuse to write over what the writer hasn't seen, unless both wrote the same."""
    if not (fields.same(stored, was) or fields.same(stored, value)):
        raise draft.conflict("field", key, name=name, mine=fields.clean(value), theirs=stored)


def _compare_along(
    draft: _Draft, key: str, name: str, going: Mapping[str, str], shown: Mapping[str, str], value: str
) -> None:
    """Refuse to take along what the writer hasn't seen: somebody may have written it a moment ago."""
    if any(not fields.same(said, shown.get(one, "")) for one, said in going.items()):
        theirs = json.dumps(going, ensure_ascii=False)
        raise draft.conflict("along", key, name=name, mine=fields.clean(value), theirs=theirs)


# --- shape


def add_probe(
    version: TreeVersion, *, by: Person, place: Place, prompt: Text, kind: ProbeKind, aims: Collection[Aim]
) -> Edited:
    """Add a follow-up at a place; in a draft without probes, the first one. Its key is made of its words."""
    with _locked(version, by) as draft:
        if place.parent:
            draft.probe(place.parent, mine=next(iter(prompt.values()), ""))
        probe = _new(draft, prompt, kind, aims)
        return draft.save(shape.add(draft.outline, probe, place), DraftOp.ADD, probe.key)


def insert_probe(
    version: TreeVersion, *, by: Person, above: str, prompt: Text, kind: ProbeKind, aims: Collection[Aim]
) -> Edited:
    """Put a new probe between one and its parent."""
    with _locked(version, by) as draft:
        draft.probe(above, mine=next(iter(prompt.values()), ""))
        probe = _new(draft, prompt, kind, aims)
        return draft.save(shape.insert_above(draft.outline, probe, above), DraftOp.INSERT, probe.key)


def move_probe(version: TreeVersion, *, by: Person, key: str, was: Place, to: Place) -> Edited:
    """Move a probe that was shown at `was`, with all below it. Raises NotADraft, Conflict, Refusal."""
    with _locked(version, by) as draft:
        draft.probe(key)
        now = shape.place_of(draft.outline, key)
        if was != now and now != to:
            raise draft.conflict("place", key, mine=_place(to), theirs=_place(now))
        if now == to:
            return draft.save(draft.outline, DraftOp.MOVE, key)
        return draft.save(shape.move(draft.outline, key, to), DraftOp.MOVE, key)


def duplicate_probe(version: TreeVersion, *, by: Person, key: str) -> Edited:
    """Copy a probe with all below it, as it is now, right after itself."""
    with _locked(version, by) as draft:
        draft.probe(key)
        names = copies(shape.with_all_below(draft.outline, key), _taken(draft))
        return draft.save(shape.duplicate(draft.outline, key, names), DraftOp.DUPLICATE, names[key])


def remove_probe(version: TreeVersion, *, by: Person, key: str, shown: Mapping[str, str]) -> Edited:
    """Take a probe away with all below it, if that is what was shown: `shown` is key -> `fingerprint` of each."""
    with _locked(version, by) as draft:
        probe = draft.probe(key)
        by_key = {one.key: one for one in draft.outline.probes}
        found = {one: fingerprint(by_key[one]) for one in shape.with_all_below(draft.outline, key)}
        if found != dict(shown):
            differing = [one for one in found if found[one] != shown.get(one)] or [key]
            raise draft.conflict("below", differing[0], theirs=", ".join(differing))
        edited = draft.save(shape.remove(draft.outline, key), DraftOp.REMOVE, key)
        return replace(edited, key=_after(draft.outline, key, probe))


def take_out(version: TreeVersion, *, by: Person, key: str) -> Edited | None:
    """Take one probe away that was merged into another: its follow-ups move up. None where it isn't there any more.

    Raises NotADraft, Refusal.
    """
    with _locked(version, by) as draft:
        if not any(one.key == key for one in draft.outline.probes):
            return None
        edited = draft.save(shape.take_out(draft.outline, key), DraftOp.REMOVE, key)
        return replace(edited, key=draft.probe(key).parent or "")


def _after(outline: OutlineTree, key: str, probe: OutlineProbe) -> str:
    """Return where the eye goes when a probe has gone: to the next sibling, else the one before, else its parent."""
    beside = shape.siblings(outline, probe.parent)
    index = beside.index(key)
    return next(iter((*beside[index + 1 : index + 2], *beside[index - 1 : index])), probe.parent or "")


def fingerprint(probe: OutlineProbe) -> str:
    """Return a few digits over all that a probe says and what it hangs on."""
    return hashlib.sha256(json.dumps(as_json(probe), sort_keys=True).encode()).hexdigest()[:FINGERPRINT]


def _place(place: Place) -> str:
    return f"{place.parent or ''}/{place.after or ''}"


def _new(draft: _Draft, prompt: Text, kind: ProbeKind, aims: Collection[Aim]) -> OutlineProbe:
    said = {tag: words for tag, given in prompt.items() if (words := fields.clean(given))}
    if not said:
        raise EditRefused("no_words")
    key = free_key(slug(said.get("en", "")), _taken(draft))
    probe = OutlineProbe(
        key=key,
        title={tag: short(words) for tag, words in said.items()},
        prompt={},
        kind=kind,
        aims=tuple(aim for aim in Aim if aim in aims) or (Aim.DEPTH,),
        minutes=NEW_MINUTES,
    )
    for tag, words in said.items():
        probe = fields.write_probe(probe, f"prompt.{tag}", words)
    return probe


def _taken(draft: _Draft) -> set[str]:
    return draft_history.used_keys(draft.rows.version.tree)


# --- the way back


def undo(version: TreeVersion, *, by: Person) -> Edited:
    """Take back this person's last edit that nobody wrote over since.

    Raises Refused when there is none, Refusal when others changed the same in all of them.
    """
    with _locked(version, by, tree=True) as draft:
        step = draft_history.step_back(version, by, draft.outline)
        if step is None:
            raise Refused(_("There is nothing of yours to undo."))
        edited = draft.save(step.outline, DraftOp.UNDO, step.edit.probe_key, undoes=step.edit)
        draft_history.mark([step.edit], undone=True)
        return replace(_looking_at(edited), passed=step.passed)


def redo(version: TreeVersion, *, by: Person) -> Edited:
    """Do again what this person undid last, unless they edited something else since."""
    with _locked(version, by, tree=True) as draft:
        undone = draft_history.redoable(version, by)
        if undone is None or undone.undoes is None:
            raise Refused(_("There is nothing of yours to do again."))
        new = draft_history.taken_back(undone, draft.outline)
        edited = draft.save(new, DraftOp.REDO, undone.probe_key, undoes=undone)
        draft_history.mark([undone], undone=True)
        draft_history.mark([undone.undoes], undone=False)
        return _looking_at(edited)


def restore(version: TreeVersion, *, by: Person, key: str) -> Edited:
    """Bring back a probe that somebody removed, whoever it was, with all that went with it."""
    with _locked(version, by) as draft:
        removals = version.edits.filter(op=DraftOp.REMOVE.value, undone=False, keys__contains=[key])
        edit = removals.order_by("-number").first()
        if edit is None:
            raise Refused(_("This probe can't be brought back."))
        edited = draft.save(draft_history.taken_back(edit, draft.outline), DraftOp.UNDO, key, undoes=edit)
        draft_history.mark([edit], undone=True)
        return edited


def _looking_at(edited: Edited) -> Edited:
    """Point at a probe that is still there: the one that the edit was about, or where it was."""
    there = {probe.key for probe in edited.new.probes}
    if edited.key in there or not edited.key:
        return edited
    gone = next((probe for probe in edited.old.probes if probe.key == edited.key), None)
    if gone is None:
        return replace(edited, key="")
    return replace(edited, key=_after(edited.old, gone.key, gone))
