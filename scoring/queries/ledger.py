"""The reveal ledger of an application: who saw what when, and every change after it. Who and when, no judgement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from interviews.enums import Revealed
from interviews.models import Application, Asked, Position, Reveal, Seat, Void
from people.models import AuditEntry, Person
from scoring.models import Debrief, DebriefDecision, PanelScorecard, Revision
from scoring.queries.cards import Sealed, application_for, is_in_charge
from scoring.queries.panel_page import panel_for


class Entry(StrEnum):
    """What happened: something was seen, or something that may have been seen changed."""

    SEEN = "seen"
    SUBMITTED = "submitted"
    AMENDED = "amended"
    EXCUSED = "excused"
    OPENED = "opened"
    LOOP = "loop"
    POLICY = "policy"
    VOIDED = "voided"
    COMPILED = "compiled"
    DEBRIEF = "debrief"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """`who` did it, `whose` judgements it is about. `seen_by`: who had seen, before this, what it changed.

    Who marks a timeline without names is named to nobody: `who` and `whose` of such a line are "".
    """

    at: datetime
    kind: Entry
    who: str
    whose: str = ""
    what: str = ""
    rule: str = ""
    number: int = 0
    seat: int | None = None
    seen_by: tuple[str, ...] = ()


def ledger_for(viewer: Person, code: UUID) -> Application:
    """Fetch an application whose ledger the viewer may read: in charge; on its panel, only when all is in.

    404 for strangers, 403 for raters and for who owes this person a judgement elsewhere.
    """
    application = application_for(viewer, code)
    if not is_in_charge(viewer, application):
        raise Sealed
    panel_for(viewer, code)  # raises Sealed for who judges, as long as they wait themselves
    return application


def load_ledger(application: Application) -> list[LedgerLine]:
    """Return everything in the order of time; a constant number of queries."""
    seen = Reveal.objects.filter(application=application).select_related("viewer", "seat__person")
    saw = list(seen.order_by("at", "id"))
    lines = [
        LedgerLine(
            at=row.at,
            kind=Entry.SEEN,
            who="" if _marks_without_names(row) else str(row.viewer),
            whose=str(row.seat.person) if row.seat else "",
            what=row.what,
            rule=row.rule,
            seat=row.seat_id,
        )
        for row in saw
    ]
    changes = [*_cards(application), *_panel(application), *_audited(application), *_debriefs(application)]
    lines += [replace(line, seen_by=_seen_before(line, saw)) for line in changes]
    return sorted(lines, key=lambda line: line.at)


def _marks_without_names(row: Reveal) -> bool:
    """Whether the line is of somebody asked to mark (services.blind_marking), who read without a seat's name."""
    return row.what == Revealed.TIMELINE and row.seat_id is None


def _seen_before(line: LedgerLine, saw: Iterable[Reveal]) -> tuple[str, ...]:
    """Who had seen what this changed: a card, on its page or the timeline; else anything but the chat."""
    if line.kind not in {Entry.AMENDED, Entry.VOIDED, Entry.EXCUSED, Entry.SUBMITTED}:
        return ()
    names = (
        _("somebody, to mark it without names") if _marks_without_names(row) else str(row.viewer)
        for row in saw
        if row.at < line.at
        and row.what != Revealed.CHAT
        and (line.kind != Entry.AMENDED or row.seat_id in {line.seat, None})
    )
    return tuple(dict.fromkeys(names))


def _cards(application: Application) -> list[LedgerLine]:
    """When revisions came in: nothing of what they say is read."""
    seats = Seat.objects.filter(interview__application=application, person__isnull=False).select_related("person")
    by_pk = {seat.pk: seat for seat in seats}
    rows = Revision.objects.unsealed_for_compiling().filter(seat__in=list(by_pk))
    return [
        LedgerLine(
            at=at,
            kind=Entry.SUBMITTED if number == 1 else Entry.AMENDED,
            who=str(by_pk[seat].person),
            number=number,
            seat=seat,
        )
        for seat, number, at in rows.values_list("seat", "number", "submitted_at")
    ]


def _panel(application: Application) -> list[LedgerLine]:
    compiled = PanelScorecard.objects.filter(application=application).values_list("number", "compiled_at")
    asked = Asked.objects.filter(
        interview__application=application, probe__version__tree=OuterRef("tree"), probe__key=OuterRef("probe_key")
    )
    voids = Void.objects.filter(
        Exists(asked), position=application.position_id, at__gte=application.created_at
    ).select_related("by")
    return [
        *(LedgerLine(at=at, kind=Entry.COMPILED, who="", number=number) for number, at in compiled),
        *(LedgerLine(at=row.at, kind=Entry.VOIDED, who=str(row.by), what=row.probe_key) for row in voids),
    ]


AUDITED = {
    "application.opened_early": Entry.OPENED,
    "loop.closed": Entry.LOOP,
    "loop.reopened": Entry.LOOP,
    "seat.excused": Entry.EXCUSED,
    "position.changed": Entry.POLICY,
}


def _audited(application: Application) -> list[LedgerLine]:
    excused = Seat.objects.filter(interview__application=application, card_excused_at__isnull=False)
    seats = {str(seat.pk): seat for seat in excused.select_related("person")}
    since = application.created_at
    own = {
        Application._meta.label_lower: {str(application.pk)},
        Seat._meta.label_lower: set(seats),
        Position._meta.label_lower: {str(application.position_id)},
    }
    rows = AuditEntry.objects.filter(
        action__in=AUDITED, object_kind__in=own, object_id__in=set().union(*own.values())
    ).select_related("actor")
    return [
        LedgerLine(
            at=row.at,
            kind=AUDITED[row.action],
            who=str(row.actor),
            whose=str(seats[row.object_id].person) if row.action == "seat.excused" else "",
            what=row.data["sealing"] if row.action == "position.changed" else row.action,
        )
        for row in rows
        if row.object_id in own[row.object_kind] and (row.action != "position.changed" or _changed_policy(row, since))
    ]


def _changed_policy(row: AuditEntry, since: datetime) -> bool:
    """Whether it changed when raters read the others' cards. What the policy was stands in newer entries alone."""
    return row.at >= since and row.data.get("sealing_before", row.data["sealing"]) != row.data["sealing"]


def _debriefs(application: Application) -> list[LedgerLine]:
    lines = []
    for debrief in Debrief.objects.filter(application=application).select_related("opened_by"):
        opener = str(debrief.opened_by)
        for what, at in (("opened", debrief.opened_at), ("started", debrief.started_at), ("closed", debrief.closed_at)):
            if at is not None:
                lines.append(LedgerLine(at=at, kind=Entry.DEBRIEF, who=opener if what == "opened" else "", what=what))
    rows = DebriefDecision.objects.filter(debrief__application=application).select_related("seat__person")
    lines += [LedgerLine(at=row.at, kind=Entry.DECIDED, who=str(row.seat.person), number=row.number) for row in rows]
    return lines
