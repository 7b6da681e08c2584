"""Positions, candidates and applications: made and changed by their managers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import InterviewStatus, SealingPolicy, TextKind
from interviews.models import Application, Candidate, CandidateIdentity, Claim, Interview, Position, Seat
from interviews.queries.hiring import judges
from interviews.sealed import CARD_MISSING, RUNNING, readable_panel, told_nothing
from interviews.services.attachments import Sent, add_attachments, with_files
from interviews.services.changing import tell_rooms
from interviews.services.texts import text_about
from interviews.services.unsealing import note_unsealed, note_unsealed_to
from people import audit
from people.jobs import enqueue
from people.models import Person
from people.refusal import Refused
from questionbank.models import Plan, Tree


class PositionClosed(Refused):
    """Nobody applies for a closed position."""


class AppliedAlready(Refused):
    """The candidate has an application for this position."""


class LoopClosed(Refused):
    """The manager said that no further interview comes."""


class LoopRunning(Refused):
    """An interview of the application is going on."""


class CardNotOwed(Refused):
    """There is no card to excuse."""


class JudgesToo(Refused):
    """Somebody with a part in the judgement wants to do what only people off the panel may."""


@dataclass(frozen=True, slots=True)
class PositionTerms:
    title: str
    managers: Sequence[Person]
    plan: Plan | None
    sealing: SealingPolicy
    retention_days: int
    optional_trees: Sequence[Tree]
    chat: bool


@dataclass(frozen=True, slots=True)
class CandidateDetails:
    """Who applies. `extra_time_percent`: granted minutes on top, 25 = a quarter more."""

    name: str
    email: str
    language: str
    accommodations: str
    extra_time_percent: int


def create_position(*, by: Person, code: UUID, terms: PositionTerms) -> Position:
    """Make a position. `code` is the form's own: sending the form twice makes one position. Raises Refused."""
    with transaction.atomic():
        position, made = Position.objects.get_or_create(
            code=code,
            defaults={
                "title": terms.title,
                "plan": terms.plan,
                "sealing": terms.sealing,
                "retention_days": terms.retention_days,
                "chat": terms.chat,
            },
        )
        if made:
            position.managers.set(_some_manager(terms.managers))
            position.optional_trees.set(terms.optional_trees)
            audit.record(by, "position.created", position, sealing=terms.sealing)
        elif not audit.did(by, "position.created", position):
            raise Refused(_("This form was used for something else. Open it again."))
    return position


def change_position(*, position: Position, by: Person, terms: PositionTerms) -> Position:
    """Change a position's terms. Raises Refused without managers, and JudgesToo where `by` would let cards be read
    earlier that are still kept from them."""
    with transaction.atomic():
        before = Position.objects.select_for_update(no_key=True).get(pk=position.pk)
        opens = (before.sealing, terms.sealing) == (SealingPolicy.AFTER_ALL, SealingPolicy.AFTER_OWN)
        if opens and _waits_there(by, before):
            raise JudgesToo(
                _("You judge a candidate of this position yourself. Another manager or administrator can change it."),
                field="sealing",
            )
        for leaving in before.managers.exclude(pk__in=[person.pk for person in terms.managers]):
            note_unsealed_to(leaving)
        covers = before.plan_id, set(before.optional_trees.all())
        position.title, position.plan, position.sealing = terms.title, terms.plan, terms.sealing
        position.retention_days, position.chat = terms.retention_days, terms.chat
        position.save(update_fields=["title", "plan", "sealing", "retention_days", "chat"])
        position.managers.set(_some_manager(terms.managers))
        position.optional_trees.set(terms.optional_trees)
        if covers != (position.plan_id, set(terms.optional_trees)):
            enqueue("scoring.compile_after_plan", key=f"position:{position.pk}", delay=1, position=position.pk)
        audit.record(
            by,
            "position.changed",
            position,
            sealing=terms.sealing,
            sealing_before=before.sealing,
            retention_days=terms.retention_days,
        )
        if opens:
            for candidate in position.applications.order_by("candidate").values_list("candidate", flat=True):
                note_unsealed(candidate)
    return position


def _waits_there(person: Person, position: Position) -> bool:
    """Whether the person judges somebody in the position and can't read the panel's figures on them yet."""
    return Application.objects.filter(told_nothing(person, ""), ~readable_panel(person, ""), position=position).exists()


def _some_manager(managers: Sequence[Person]) -> Sequence[Person]:
    if not managers:
        raise Refused(_("A position needs at least one manager."), field="managers")
    return managers


def create_application(
    *,
    by: Person,
    code: UUID,
    position: Position,
    known: Candidate | None,
    details: CandidateDetails | None,
    claims: Iterable[str],
    files: Iterable[Sent],
    links: Iterable[str],
    lifted_trees: Iterable[Tree],
) -> Application:
    """Let a candidate apply: one that is `known` from another position, or a new one with `details`.

    `code` is the form's own: sending the form twice makes one application. Raises PositionClosed, AppliedAlready.
    """
    with with_files() as written:
        locked = Position.objects.select_for_update(no_key=True).get(pk=position.pk)
        if before := Application.objects.filter(code=code, position=position).first():
            return before
        if Application.objects.filter(code=code).exists():
            raise Refused(_("This form was used for something else. Open it again."))
        if locked.closed_at is not None:
            raise PositionClosed(_("This position is closed."))
        if known and Application.objects.filter(position=position, candidate=known).exists():
            raise AppliedAlready(_("This candidate has applied for the position already."), field="known")
        candidate = known or Candidate.objects.create()
        if details and not known:
            _write_identity(candidate, details)
        application = Application.objects.create(code=code, position=position, candidate=candidate)
        application.lifted_trees.set(lifted_trees)
        _write_claims(application, claims)
        add_attachments(application=application, files=files, links=links, written=written)
        audit.record(by, "application.created", application, position=position.pk, candidate=candidate.pk)
    return application


def change_application(
    *,
    application: Application,
    by: Person,
    details: CandidateDetails,
    claims: Iterable[str],
    files: Iterable[Sent],
    links: Iterable[str],
    removed: Iterable[UUID],
    lifted_trees: Iterable[Tree],
) -> Application:
    """Change what is known about the candidate. `removed`: codes of attachments to take away."""
    with with_files() as written:
        if application.candidate.anonymised_at is not None or application.erased_at is not None:
            raise Refused(_("What was kept about this candidate is erased; nothing can be added."))
        _write_identity(application.candidate, details)
        lifted = set(lifted_trees)
        if lifted != set(application.lifted_trees.all()):
            application.lifted_trees.set(lifted)
            enqueue("scoring.compile_panel", key=f"panel:{application.pk}", delay=1, application=application.pk)
        _write_claims(application, claims)
        for attachment in application.attachments.filter(code__in=list(removed)):
            if attachment.file:
                name, storage = attachment.file.name, attachment.file.storage
                transaction.on_commit(lambda name=name, storage=storage: storage.delete(name), robust=True)  # type: ignore[misc]
            attachment.delete()
        add_attachments(application=application, files=files, links=links, written=written)
        audit.record(by, "application.changed", application)
    return application


def _write_identity(candidate: Candidate, details: CandidateDetails) -> None:
    CandidateIdentity.objects.update_or_create(
        candidate=candidate,
        defaults={
            "name": details.name,
            "email": details.email,
            "language": details.language,
            "accommodations": details.accommodations,
            "extra_time_percent": details.extra_time_percent,
        },
    )


def _write_claims(application: Application, claims: Iterable[str]) -> None:
    """Make the claims what the form says; one that stays keeps its row."""
    wanted = list(dict.fromkeys(claims))
    kept = {claim.text.body: claim for claim in application.claims.select_related("text")}
    for words, claim in kept.items():
        if words not in wanted:
            claim.text.delete()  # and the claim with it
    for place, words in enumerate(wanted):
        if words in kept:
            Claim.objects.filter(pk=kept[words].pk).update(position=place)
        else:
            text = text_about(application, TextKind.CLAIM, words)
            Claim.objects.create(application=application, position=place, text=text)


def close_loop(*, application: Application, by: Person) -> None:
    """Say that no further interview comes, so that "all in" waits only for the cards owed. Raises LoopRunning.

    It may open the others' cards, so raters of the candidate don't close it: raises JudgesToo.
    """
    if judges(by, application):
        raise JudgesToo(_("You judge this candidate yourself. Another manager or an administrator can close the loop."))
    with transaction.atomic():
        Application.objects.select_for_update(no_key=True).get(pk=application.pk)
        if Interview.objects.filter(application=application, status__in=RUNNING).exists():
            raise LoopRunning(_("An interview is going on. Close the loop when it has ended."))
        closed = Application.objects.filter(pk=application.pk, loop_closed_at__isnull=True).update(
            loop_closed_at=timezone.now(), loop_closed_by=by
        )
        if closed:
            audit.record(by, "loop.closed", application)
            _recompile(application)
            note_unsealed(application.candidate_id)


def reopen_loop(*, application: Application, by: Person) -> None:
    """Let further interviews be scheduled. Whoever has read judgements by then marks after seeing others."""
    with transaction.atomic():
        closed = Application.objects.select_for_update(no_key=True).filter(loop_closed_at__isnull=False)
        row = closed.filter(pk=application.pk).first()
        if row is None:
            return
        _recompile(application)
        note_unsealed(application.candidate_id)
        Application.objects.filter(pk=row.pk).update(loop_closed_at=None, loop_closed_by=None)
        audit.record(by, "loop.reopened", application)


def excuse_card(*, seat: Seat, by: Person, reason: str) -> None:
    """Stop waiting for an owed card, with a reason. Raises CardNotOwed if it is in, excused, or was never owed.

    Whether a card is in is nothing that a rater may learn, so raters of the candidate excuse nobody's.
    """
    application = seat.interview.application
    if judges(by, application):
        raise JudgesToo(_("You judge this candidate yourself. Another manager or an administrator can excuse a card."))
    with transaction.atomic():
        excused = Seat.objects.filter(CARD_MISSING, pk=seat.pk).update(card_excused_at=timezone.now())
        if excused != 1:
            raise CardNotOwed(_("This card is not waited for: it is in, excused, or was never owed."))
        text = text_about(application, TextKind.EXCUSE, reason)
        audit.record(by, "seat.excused", seat, interview=seat.interview_id, text=text.pk)
        _recompile(application)
        note_unsealed(application.candidate_id)


def _recompile(application: Application) -> None:
    """Ask for the panel card anew, and let every room of the application look again: "all in" may have changed."""
    enqueue("scoring.compile_panel", key=f"panel:{application.pk}", delay=1, application=application.pk)
    seats = Seat.objects.filter(interview__application=application).exclude(
        interview__status__in=[InterviewStatus.CANCELLED, InterviewStatus.NO_SHOW]
    )
    tell_rooms(seats.select_related("interview"))
