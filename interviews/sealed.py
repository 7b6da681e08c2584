"""The seal: who may read whose judgements. It stands where the rows are fetched, so that a new page can't forget it.

The rules are DOMAIN's, in one query:
- one's own, always;
- nobody else's before it is submitted;
- whoever still has a duty on the *person* (a seat in an interview to come or running, or a card owed), in any position,
  reads no one's;
- a rater of the application: after their own card ("after own") or when all are in ("after all");
- managers of the position and administrators who are not on the panel: when all are in, or opened early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q

from interviews.enums import ASKERS, JUDGES, InterviewStatus, SealingPolicy
from people.enums import PersonRole

if TYPE_CHECKING:
    from interviews.models import Application, Seat
    from people.models import Person

RATERS = JUDGES
OWING = ASKERS
AHEAD = (InterviewStatus.SCHEDULED, InterviewStatus.LIVE, InterviewStatus.PAUSED)
RUNNING = (InterviewStatus.LIVE, InterviewStatus.PAUSED)
CARD_MISSING = Q(card_owed=True, card_submitted_at__isnull=True, card_excused_at__isnull=True)
SEATED = Q(removed_at__isnull=True) | Q(card_owed=True) | Q(card_submitted_at__isnull=False)

M = TypeVar("M", bound=models.Model)

Viewer: TypeAlias = "Person | str | OuterRef"
"""Who reads: a person, or where to find one from the filtered model (a path, or a reference further out). With the
latter one query answers for many."""


class SealBroken(Exception):
    """Sealed rows were asked for without saying who reads them."""


def _seats() -> models.Manager[Seat]:
    manager: models.Manager[Seat] = apps.get_model("interviews", "Seat")._default_manager
    return manager


def _who(viewer: Viewer) -> Any:
    """The viewer as a subquery of the filtered model names them."""
    return OuterRef(viewer) if isinstance(viewer, str | OuterRef) else viewer


def all_in(application: str) -> Q:
    """The condition "an interview took place, every owed card is in or excused, and no interview is still to come
    (unless the loop is closed)".

    `application` is the path from the filtered model to the application, "" for the application itself.
    """
    prefix = f"{application}__" if application else ""
    outer = OuterRef(f"{prefix}pk")
    interviews = apps.get_model("interviews", "Interview")._default_manager.filter(application=outer)
    missing = _seats().filter(CARD_MISSING, interview__application=outer)
    return (
        Q(Exists(interviews.filter(status=InterviewStatus.ENDED)))
        & ~Q(Exists(missing))
        & ~Q(Exists(interviews.filter(status__in=RUNNING)))
        & (Q(**{f"{prefix}loop_closed_at__isnull": False}) | ~Q(Exists(interviews.filter(status__in=AHEAD))))
    )


def duty(viewer: Viewer, candidate: str) -> Q:
    """The condition that `viewer` still has to judge the candidate at that path, in whatever position."""
    return Q(
        Exists(
            _seats().filter(
                Q(interview__status__in=AHEAD, removed_at__isnull=True) | CARD_MISSING,
                person=_who(viewer),
                role__in=OWING,
                interview__application__candidate=OuterRef(candidate),
            )
        )
    )


def on_panel(viewer: Viewer, application: str, **conditions: Any) -> Q:
    """The condition that `viewer` has, or had to do with, a rating seat in the application at that path.

    `conditions` are about the seat, such as `card_submitted_at__isnull=False`.
    """
    outer = OuterRef(f"{application}__pk" if application else "pk")
    return Q(
        Exists(
            _seats().filter(SEATED, person=_who(viewer), role__in=RATERS, interview__application=outer, **conditions)
        )
    )


def told_nothing(viewer: Viewer, application: str) -> Q:
    """The condition under which whose card is in is kept from `viewer`: they judge this person, here or elsewhere."""
    prefix = f"{application}__" if application else ""
    return on_panel(viewer, application) | duty(viewer, f"{prefix}candidate")


def in_charge(viewer: Viewer, position: str) -> Q:
    """The condition that `viewer` is in charge of the position at that path ("" for the position itself).

    Administrators of all; managers of their own, as long as they have the role: a list of managers that still names
    somebody whose role was taken away lets them nowhere. By a subquery, since a join would double rows.
    """
    if isinstance(viewer, str | OuterRef):
        return _in_charge_there(viewer, position)
    if viewer.is_administrator:
        return Q(pk__isnull=False)  # not Q(): joined to another condition by "or", that is no condition at all
    if not viewer.is_manager:
        return Q(pk__in=[])
    own = apps.get_model("interviews", "Position")._default_manager.filter(managers=viewer)
    return Q(**{f"{position}__in" if position else "pk__in": own.values("pk")})


def _in_charge_there(viewer: str | OuterRef, position: str) -> Q:
    """The same where the viewer is one of many: their roles are asked in the query."""
    people: models.Manager[Person] = apps.get_model("people", "Person")._default_manager
    named = apps.get_model("interviews", "Position").managers.through._default_manager
    administers = people.filter(pk=_who(viewer), roles__contains=[PersonRole.ADMINISTRATOR.value])
    manages = named.filter(
        position=OuterRef(position or "pk"), person=_who(viewer), person__roles__contains=[PersonRole.MANAGER.value]
    )
    return Q(Exists(administers)) | Q(Exists(manages))


def readable(viewer: Viewer, application: str) -> Q:
    """The condition under which `viewer` may read others' submitted judgements of the application at that path."""
    prefix = f"{application}__" if application else ""
    done, rates = all_in(application), on_panel(viewer, application)
    as_rater = rates & (
        done
        | Q(**{f"{prefix}position__sealing": SealingPolicy.AFTER_OWN})
        & on_panel(viewer, application, card_submitted_at__isnull=False)
    )
    off_panel = ~rates & in_charge(viewer, f"{prefix}position") & (done | Q(**{f"{prefix}opened_at__isnull": False}))
    return ~duty(viewer, f"{prefix}candidate") & (as_rater | off_panel)


def readable_panel(viewer: Viewer, application: str) -> Q:
    """The condition for figures over the panel: with "after own" a mean that moves by one card is that card, so
    raters wait for all; managers off the panel read as with single cards."""
    return readable(viewer, application) & (~on_panel(viewer, application) | all_in(application))


def open_seats(viewer: Person) -> models.QuerySet[Seat]:
    """Return the seats whose judgements `viewer` may read: their own, and the submitted ones the seal lets them."""
    others = Q(card_submitted_at__isnull=False) & readable(viewer, "interview__application")
    return _seats().filter(Q(person=viewer) | others).distinct()


def heard_seats(viewer: Person) -> models.QuerySet[Seat]:
    """The open seats whose marks may be read as they stand now: not while their author amends the card.

    What is being amended is handed in by nobody yet; what was submitted before is read from the card.
    """
    return open_seats(viewer).filter(Q(person=viewer) | Q(card_amending_at__isnull=True))


def readers(application: Application) -> models.QuerySet[Person]:
    """Who may read somebody else's submitted judgement of the application at this moment."""
    people: models.Manager[Person] = apps.get_model("people", "Person")._default_manager
    applications = apps.get_model("interviews", "Application")._default_manager
    seats = _seats().filter(interview__application=application)
    # Nobody else can be: it keeps the query from asking the seal about the whole house.
    concerned = (
        Q(pk__in=seats.filter(person__isnull=False).values("person"))
        | Q(positions=application.position_id)
        | Q(roles__contains=[PersonRole.ADMINISTRATOR.value])
    )
    return people.filter(
        Exists(applications.filter(readable(OuterRef("pk"), ""), pk=application.pk)),
        Exists(seats.filter(card_submitted_at__isnull=False).exclude(person=OuterRef("pk"))),
        pk__in=people.filter(concerned).values("pk"),
        is_active=True,
    )


def may_read_panel(viewer: Person, application: Application) -> bool:
    applications = apps.get_model("interviews", "Application")._default_manager
    return bool(applications.filter(readable_panel(viewer, ""), pk=application.pk).exists())


class SealedManager(models.Manager[M]):
    """Hands out rows only to a named reader. The rows' `seat` says whose judgement they are."""

    def get_queryset(self) -> NoReturn:
        raise SealBroken(f"{self.model.__name__} is sealed: read it with .visible_to(viewer).")

    def visible_to(self, viewer: Person) -> models.QuerySet[M]:
        return self._rows().filter(seat__in=open_seats(viewer).values("pk"))

    def written_by(self, seat: Seat) -> models.QuerySet[M]:
        """What this seat itself wrote, for the author's own page, marking and submitting."""
        return self._rows().filter(seat=seat)

    def unsealed_for_compiling(self) -> models.QuerySet[M]:
        """Every row. For compiling, erasing and calibration, whose results are sealed themselves; never for a page."""
        return self._rows()

    def _rows(self) -> models.QuerySet[M]:
        return models.QuerySet(self.model, using=self._db)


class LiveManager(SealedManager[M]):
    """Judgements as they stand in the room, where an author who amends goes on writing."""

    def visible_to(self, viewer: Person) -> models.QuerySet[M]:
        return self._rows().filter(seat__in=heard_seats(viewer).values("pk"))


class PrivateManager(SealedManager[M]):
    """Rows that are nobody's but their author's, before the reveal and after it."""

    def visible_to(self, viewer: Person) -> models.QuerySet[M]:
        return self._rows().filter(seat__person=viewer)
