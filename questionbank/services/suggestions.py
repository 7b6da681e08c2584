"""Wording that came up in live rooms: copied here without a way back, taken up into a draft or declined.

A room calls `suggest` and keeps nothing of the answer. Nothing about arrival is written down anywhere: an audit entry
or a job would hold the minute, and with it the interview.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from people import audit
from people.models import Person
from people.refusal import Refused
from questionbank.edits.fields import clean
from questionbank.edits.shape import Place, siblings
from questionbank.enums import Aim, ProbeKind, SuggestionKind, SuggestionState
from questionbank.limits import PROMPT
from questionbank.models import Probe, Suggestion, TreeVersion
from questionbank.outline import Text
from questionbank.queries import whole
from questionbank.services import editing
from questionbank.services.drafting import new_draft, open_version
from questionbank.services.edit_refusals import Conflict

MONTHS_OPEN: Final = 6
"""So long a suggestion waits. Its words may hold personal data that no retention rule of a position reaches."""


class Decided(Refused):
    """Somebody has decided on the suggestion meanwhile."""


# --- from the room


def suggest(
    probe: Probe,
    kind: SuggestionKind,
    text: Text,
    *,
    aims: Collection[Aim] = (),
    probe_kind: ProbeKind | None = None,
) -> None:
    """Copy what a room made of a probe: other words for it, or a follow-up below it with its kind and aims.

    Returns nothing, so that nobody keeps a way from the interview to the copy. What says nothing new is left out: the
    words that the probe has, or a suggestion that waits already. Raises Refused for no words or too many.
    """
    said = _said(text)
    if kind is SuggestionKind.EDIT and all(clean(probe.prompt.get(tag, "")) == words for tag, words in said.items()):
        return
    follow_up = kind is SuggestionKind.FOLLOW_UP
    chosen = [aim.value for aim in Aim if aim in aims] or [Aim.DEPTH.value]
    same = {
        "tree_id": probe.version.tree_id,
        "probe_key": probe.key,
        "kind": kind.value,
        "text": said,
        "aims": chosen if follow_up else [],
        "probe_kind": (probe_kind or ProbeKind.PROBE).value if follow_up else None,
    }
    if not Suggestion.objects.filter(**same, state=SuggestionState.OPEN).exists():
        Suggestion.objects.create(**same, month=timezone.now().date().replace(day=1))


def _said(text: Text) -> dict[str, str]:
    said = {tag: words for tag, given in text.items() if (words := clean(given))}
    if not said:
        raise Refused(_("Write something first."), field="text")
    if any(len(words) > PROMPT for words in said.values()):
        raise Refused(_("That is too long: at most %(limit)d characters.") % {"limit": PROMPT}, field="text")
    return said


# --- every night


@transaction.atomic
def release(today: date) -> int:
    """Show curators what came in since last night, all at once; return how much that is. Erase what waited too long."""
    shown = Suggestion.objects.filter(released=False).update(released=True)
    waiting = Suggestion.objects.filter(state=SuggestionState.OPEN, month__lt=_months_before(today, MONTHS_OPEN))
    waiting.update(state=SuggestionState.DECLINED, decided_at=timezone.now(), text={})
    return shown


def _months_before(day: date, months: int) -> date:
    """Return the first day of the month that many months ago."""
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, 1)


# --- by curators


@transaction.atomic
def accept(code: UUID, *, by: Person, text: Text, was: Text, checked: bool) -> TreeVersion:
    """Take a suggestion up into the tree's draft, beginning one where there is none, in the words given; return it.

    `was`: the wording of the probe that the curator saw. `checked`: they say that it holds no personal data. Raises
    Decided, NotADraft while the tree's open version is in review, Refused.
    """
    suggestion = _lock_open(code)
    if not checked:
        raise Refused(
            _("Say that it holds nothing about a person, or take that out first."), field="personal_data_checked"
        )
    said = _said(text)
    version = open_version(suggestion.tree) or new_draft(suggestion.tree, by)
    try:
        _take_up(suggestion, version, by, said, was)
    except Conflict as conflict:
        raise Refused(_in_words(conflict)) from None
    changed = any(said.get(tag, "") != words for tag, words in suggestion.text.items())
    suggestion.state = SuggestionState.CHANGED if changed else SuggestionState.ACCEPTED
    suggestion.text, suggestion.personal_data_checked = said, True
    _decide(suggestion, by, version=version.pk)
    return version


def _take_up(suggestion: Suggestion, version: TreeVersion, by: Person, said: Text, was: Text) -> None:
    if suggestion.kind == SuggestionKind.EDIT:
        for tag, words in said.items():
            name = f"prompt.{tag}"
            editing.change_field(version, by=by, key=suggestion.probe_key, name=name, was=was.get(tag, ""), value=words)
        return
    last = siblings(whole(version).outline, suggestion.probe_key)[-1:]
    added = editing.add_probe(
        version,
        by=by,
        place=Place(suggestion.probe_key, last[0] if last else None),
        prompt=said,
        kind=ProbeKind(suggestion.probe_kind or ProbeKind.PROBE),
        aims=[Aim(aim) for aim in suggestion.aims],
    )
    # Nobody has seen yet what it tells: it is asked, and scored once there are data.
    editing.change_field(version, by=by, key=added.key, name="scored", was="1", value="")


def _in_words(conflict: Conflict) -> str:
    if conflict.kind == "gone":
        return _("The draft doesn't have this probe any more. Bring it back there, or decline the suggestion.")
    return _("The draft says something else by now: “%(theirs)s”. Look at both again.") % {"theirs": conflict.theirs}


@transaction.atomic
def decline(code: UUID, *, by: Person, reason: str) -> None:
    """Turn a suggestion down. Its words are erased; the reason stays. Raises Decided, Refused without a reason."""
    suggestion = _lock_open(code)
    if not reason.strip():
        raise Refused(_("Say why."), field="reason")
    suggestion.state, suggestion.text, suggestion.reason = SuggestionState.DECLINED, {}, reason.strip()
    _decide(suggestion, by)


def _lock_open(code: UUID) -> Suggestion:
    """Lock a suggestion that waits. Raises Suggestion.DoesNotExist, Decided."""
    waiting = Suggestion.objects.select_for_update(of=("self",), no_key=True).select_related("tree", "decided_by")
    suggestion = waiting.get(pk=code, released=True)
    if suggestion.state != SuggestionState.OPEN:
        raise Decided(_("It was decided on meanwhile."))
    return suggestion


def _decide(suggestion: Suggestion, by: Person, **more: int) -> None:
    suggestion.decided_by, suggestion.decided_at = by, timezone.now()
    suggestion.save()
    audit.record(by, f"suggestion.{suggestion.state}", suggestion, **more)
