"""What fields, edits and places are called where the editor speaks of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from questionbank.edits.fields import YES
from questionbank.enums import Aim, BranchOutcome, DraftOp, ProbeKind, Purpose, SignalKind
from questionbank.models import DraftEdit
from questionbank.services.edit_refusals import Conflict
from questionbank.wording import AIMS, KINDS, OUTCOMES, PURPOSES, SIGNALS, language_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FIELDS: Final[dict[str, _StrPromise]] = {
    "title": pgettext_lazy("field", "Short title"),
    "prompt": pgettext_lazy("field", "Prompt"),
    "heard": pgettext_lazy("field", "Heard"),
    "kind": pgettext_lazy("field", "Kind"),
    "minutes": pgettext_lazy("field", "Minutes"),
    "same_level": pgettext_lazy("field", "Stays on its parent's level"),
    "scored": pgettext_lazy("field", "Scored"),
    "purpose": pgettext_lazy("field", "Purpose"),
    "misses": pgettext_lazy("field", "Misses in a row that end it"),
    "second_try": pgettext_lazy("field", "One more try when an answer is unclear"),
    "topic": pgettext_lazy("field", "Topic"),
}
DID: Final[dict[DraftOp, _StrPromise]] = {
    DraftOp.CHANGE: gettext_lazy("changed %(field)s of %(probe)s"),
    DraftOp.HEAD: gettext_lazy("changed %(field)s of the tree"),
    DraftOp.LANGUAGE: gettext_lazy("began a language"),
    DraftOp.ADD: gettext_lazy("added %(probe)s"),
    DraftOp.INSERT: gettext_lazy("put in %(probe)s"),
    DraftOp.MOVE: gettext_lazy("moved %(probe)s"),
    DraftOp.DUPLICATE: gettext_lazy("copied %(probe)s"),
    DraftOp.REMOVE: gettext_lazy("removed %(probe)s"),
    DraftOp.UNDO: gettext_lazy("undid a change"),
    DraftOp.REDO: gettext_lazy("redid a change"),
}


def field(name: str) -> str:
    """Return what a field is called: "Prompt, English", "Listen for: Strong, English", "Anchor why 3, English"."""
    match name.split("."):
        case ["aim", aim] if aim in set(Aim):
            return _("Aim %(aim)s") % {"aim": AIMS[Aim(aim)]}
        case ["when", outcome] if outcome in set(BranchOutcome):
            return _("Asked if %(outcome)s") % {"outcome": OUTCOMES[BranchOutcome(outcome)]}
        case ["signals", kind, tag] if kind in set(SignalKind):
            words = {"kind": SIGNALS[SignalKind(kind)], "language": language_name(tag)}
            return _("Listen for: %(kind)s, %(language)s") % words
        case ["anchors", aim, rating, tag] if aim in set(Aim):
            anchor = {"aim": AIMS[Aim(aim)], "rating": rating, "language": language_name(tag)}
            return _("Anchor %(aim)s %(rating)s, %(language)s") % anchor
        case [known] if known in FIELDS:
            return str(FIELDS[known])
        case [known, tag] if known in FIELDS:
            return _("%(field)s, %(language)s") % {"field": FIELDS[known], "language": language_name(tag)}
    return name


def language(name: str) -> str:
    """Return the tag of the language a field is written in: "en" for `prompt.en`, "" for `aim.why` (no text)."""
    first, _dot, rest = name.partition(".")
    return rest.rpartition(".")[2] if first in {"title", "prompt", "heard", "signals", "anchors"} else ""


def value(name: str, stored: str) -> str:
    """Return what stands in a field, as a person would say it."""
    known: dict[str, Callable[[str], Any]] = {
        "kind": lambda given: KINDS[ProbeKind(given)],
        "purpose": lambda given: PURPOSES[Purpose(given)],
    }
    if name in known:
        try:
            return str(known[name](stored))
        except (KeyError, ValueError):
            return stored
    if name.split(".")[0] in {"aim", "when", "scored", "same_level", "second_try"}:
        return pgettext("field", "yes") if stored == YES else pgettext("field", "no")
    return stored


def side(conflict: Conflict, stored: str) -> str:
    """Return one side of a conflict, as a person would say it."""
    return place(stored) if conflict.kind == "place" else value(conflict.name, stored)


def along(stored: str) -> str:
    """Return what would go with a field, a line for each: "Anchor why 3, English: Names a cost"."""
    said = [
        _("%(field)s: %(text)s") % {"field": field(name), "text": value(name, text)}
        for name, text in json.loads(stored).items()
    ]
    return "\n".join(said)


def place(stored: str) -> str:
    """Return "parent/after" in words."""
    parent, _slash, after = stored.partition("/")
    if after:
        return _("below %(parent)s, after %(after)s") % {"parent": parent, "after": after}
    return _("below %(parent)s, first") % {"parent": parent}


def passed(edits: Sequence[DraftEdit]) -> str:
    """Return that undo passed over these edits, "" where there are none."""
    if not edits:
        return ""
    said = ngettext(
        "Passed over, because somebody changed the same since: %(what)s.",
        "%(n)d passed over, because somebody changed the same since. The newest: %(what)s.",
        len(edits),
    )
    return said % {"n": len(edits), "what": did(edits[0])}


def did(edit: DraftEdit) -> str:
    """Return what an edit did: "moved zero-profile"."""
    return str(DID[DraftOp(edit.op)]) % {"probe": edit.probe_key, "field": field(edit.field)}
