"""What the editor's page is answered after an edit: only what changed, or both sides of a conflict.

200: the rows that look different, their order where that changed, how the draft stands. Where others edited meanwhile,
all rows. 409: somebody else changed the same, or the version is no draft any more. 422: it can't be done, with why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render

from people.http import SignedInRequest
from people.models import Person
from people.refusal import Refused
from questionbank.models import DraftEdit, TreeVersion
from questionbank.outline import OutlineTree, walk
from questionbank.services import draft_history, draft_rows
from questionbank.services.drafting import NotADraft
from questionbank.services.edit_refusals import Conflict, Refusal
from questionbank.services.editing import Edited
from questionbank.views import editor_drawing, editor_words

# Fields that change which other fields there are, or what stands in them.
REDRAWS = frozenset({"kind", "aim", "signals"})


def state(
    version: TreeVersion,
    outline: OutlineTree,
    by: Person,
    *,
    last: DraftEdit | None = None,
    focus: str = "",
    caught_up: bool = False,
) -> dict[str, Any]:
    """Return how the draft stands: its size, its last edit, and what undo and redo would do."""
    last = last or draft_history.last_edit(version)
    undo, redo = draft_history.undoable(version, by, outline), draft_history.redoable(version, by)
    levels = [placed.level for placed in walk(outline)]
    return {
        "seen": last.number if last else 0,
        "last": last,
        "did": editor_words.did(last) if last else "",
        "undo": editor_words.did(undo) if undo else "",
        "redo": editor_words.did(redo.undoes) if redo and redo.undoes else "",
        "title": outline.title,
        "n_probes": len(levels),
        "n_levels": max(levels, default=0),
        "minutes": outline.minutes,
        "misses": outline.misses,
        "focus": focus,
        "caught_up": caught_up,
    }


def answer(
    version: TreeVersion, request: SignedInRequest, form: forms.Form, edit: Callable[[], Edited]
) -> HttpResponse:
    """Do an edit that the form describes, and answer it."""
    if not form.is_valid():
        message = " ".join(str(words) for errors in form.errors.values() for words in errors)
        return notice(message, request, 422)
    try:
        edited = edit()
    except Conflict as conflict:
        return _conflict(request, version, conflict)
    except NotADraft as refused:
        return notice(refused.message, request, 409)
    except Refusal as refused:
        return _overtaken(request, version, refused) if refused.overtaken else notice(refused.message, request, 422)
    except Refused as refused:
        return notice(refused.message, request, 422)
    return _done(request, edited, form)


def notice(message: str, request: SignedInRequest, status: int) -> HttpResponse:
    return render(request, "questionbank/editor/notice.html", {"message": message}, status=status)


def _done(request: SignedInRequest, edited: Edited, form: Any) -> HttpResponse:
    behind = edited.before > form.known
    old, new = edited.old, edited.new
    shape_changed = behind or editor_drawing.order(old) != editor_drawing.order(new)
    name = form.cleaned_data.get("name", "").split(".")[0]
    key = form.cleaned_data.get("probe", "")
    # Whoever writes a text has often gone on to another probe by now: only what changes the shape says where to look.
    focus = "" if name else edited.key
    context = {
        "version": edited.version,
        "rows": editor_drawing.rows(new) if behind else editor_drawing.changed_rows(old, new),
        "order": editor_drawing.order(new) if shape_changed else None,
        "state": state(edited.version, new, request.user, last=edited.edit, focus=focus, caught_up=behind),
        "panel": editor_drawing.panel(new, key) if key and name in REDRAWS else None,
        "passed": editor_words.passed(edited.passed),
    }
    return render(request, "questionbank/editor/answer.html", context)


def _conflict(request: SignedInRequest, version: TreeVersion, conflict: Conflict) -> HttpResponse:
    outline = _now(version)
    context = {
        "version": version,
        "conflict": conflict,
        "field": editor_words.field(conflict.name) if conflict.name else "",
        "mine": editor_words.side(conflict, conflict.mine),
        "theirs": editor_words.along(conflict.theirs)
        if conflict.kind == "along"
        else editor_words.side(conflict, conflict.theirs),
        "tag": editor_words.language(conflict.name),
        **_all(request, version, outline, conflict.key),
    }
    return render(request, "questionbank/editor/conflict.html", context, status=409)


def _overtaken(request: SignedInRequest, version: TreeVersion, refused: Refusal) -> HttpResponse:
    context = {"message": refused.message, "version": version, **_all(request, version, _now(version), "")}
    return render(request, "questionbank/editor/overtaken.html", context, status=409)


def _now(version: TreeVersion) -> OutlineTree:
    fresh = TreeVersion.objects.select_related("tree__topic").get(pk=version.pk)
    return draft_rows.read(fresh).outline


def _all(request: SignedInRequest, version: TreeVersion, outline: OutlineTree, focus: str) -> dict[str, Any]:
    """Return the whole tree as it is now: the page has seen something older."""
    return {
        "rows": editor_drawing.rows(outline),
        "order": editor_drawing.order(outline),
        "state": state(version, outline, request.user, focus=focus, caught_up=True),
    }
