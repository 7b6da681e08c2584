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
from django.db.models import Exists, F, OuterRef, Q

from interviews.composed import Composed
from interviews.enums import ASKERS, JUDGES, InterviewStatus, SealingPolicy
from people.enums import PersonRole

if TYPE_CHECKING:
    from interviews.models import Application, Interview, Seat
    from people.models import Person

RATERS = JUDGES
OWING = ASKERS
AHEAD = (InterviewStatus.SCHEDULED, InterviewStatus.LIVE, InterviewStatus.PAUSED)
RUNNING = (InterviewStatus.LIVE, InterviewStatus.PAUSED)
CARD_MISSING = Q(card_owed=True, card_submitted_at__isnull=True, card_excused_at__isnull=True)
SEATED = Q(removed_at__isnull=True) | Q(card_owed=True) | Q(card_submitted_at__isnull=False)

M = TypeVar("M", bound=models.Model)

Viewer: TypeAlias = "Person | str | OuterRef"
"""Who reads: a person, or where the filtered model has one (a path, or a reference further out): then one query answers
for many."""


class SealBroken(Exception):
    """Sealed rows were asked for without saying who reads them."""


def _seats() -> models.Manager[Seat]:
    manager: models.Manager[Seat] = apps.get_model("interviews", "Seat")._default_manager
    return manager


def _people() -> models.Manager[Person]:
    manager: models.Manager[Person] = apps.get_model("people", "Person")._default_manager
    return manager


def _interviews() -> models.Manager[Interview]:
    manager: models.Manager[Interview] = apps.get_model("interviews", "Interview")._default_manager
    return manager


def _who(viewer: Viewer) -> int | F:
    if isinstance(viewer, str):
        return F(viewer)
    return viewer if isinstance(viewer, OuterRef) else viewer.pk


# The parts of the rule that look for a row. An `application` or `candidate` is a column of the query they stand in.


@Composed
def _missing(application: int) -> models.QuerySet[Seat]:
    return _seats().filter(CARD_MISSING, interview__application=application)


@Composed
def _running(application: int) -> models.QuerySet[Interview]:
    return _interviews().filter(application=application, status__in=RUNNING)


@Composed
def _held(application: int) -> models.QuerySet[Interview]:
    return _interviews().filter(application=application, status=InterviewStatus.ENDED)


@Composed
def _ahead(application: int) -> models.QuerySet[Interview]:
    return _interviews().filter(application=application, status__in=AHEAD)


@Composed
def _owing(viewer: int, candidate: int) -> models.QuerySet[Seat]:
    ahead = Q(interview__status__in=AHEAD, removed_at__isnull=True) | CARD_MISSING
    return _seats().filter(ahead, person=viewer, role__in=OWING, interview__application__candidate=candidate)


@Composed
def _rating(viewer: int, application: int) -> models.QuerySet[Seat]:
    return _seats().filter(SEATED, person=viewer, role__in=RATERS, interview__application=application)


@Composed
def _rated(viewer: int, application: int) -> models.QuerySet[Seat]:
    mine = {"person": viewer, "role__in": RATERS, "card_submitted_at__isnull": False}
    return _seats().filter(SEATED, **mine, interview__application=application)


@Composed
def _managing(viewer: int, position: int) -> models.QuerySet[Any]:
    managers: models.QuerySet[Any] = apps.get_model("interviews", "Position").managers.through._default_manager.all()
    return managers.filter(person=viewer, position=position)


@Composed
def _a_manager(viewer: int, position: int) -> models.QuerySet[Any]:
    managers: models.QuerySet[Any] = apps.get_model("interviews", "Position").managers.through._default_manager.all()
    role = {"person__roles__contains": [PersonRole.MANAGER.value]}
    return managers.filter(person=viewer, position=position, **role)


@Composed
def _an_administrator(viewer: int) -> models.QuerySet[Person]:
    return _people().filter(pk=viewer, roles__contains=[PersonRole.ADMINISTRATOR.value])


def all_in(application: str) -> Q:
    """The condition "an interview was held, every owed card is in or excused, and no interview is still to come (unless
    the loop is closed)".

    `application` is the path from the filtered model to the application, "" for the application itself.
    """
    prefix = f"{application}__" if application else ""
    outer = F(f"{prefix}pk")
    ahead = Q(**{f"{prefix}loop_closed_at__isnull": False}) | ~Q(_ahead(outer))
    return Q(_held(outer)) & ~Q(_missing(outer)) & ~Q(_running(outer)) & ahead


def duty(viewer: Viewer, candidate: str) -> Q:
    """The condition that `viewer` still has to judge the candidate at that path, in whatever position."""
    return Q(_owing(_who(viewer), F(candidate)))


def on_panel(viewer: Viewer, application: str, *, submitted: bool = False) -> Q:
    """The condition that `viewer` has, or had to do with, a rating seat in the application at that path.

    `submitted`: one whose card is in.
    """
    outer = F(f"{application}__pk" if application else "pk")
    return Q(_rated(_who(viewer), outer) if submitted else _rating(_who(viewer), outer))


def told_nothing(viewer: Viewer, application: str) -> Q:
    """The condition under which whose card is in is kept from `viewer`: they judge this person, here or elsewhere."""
    prefix = f"{application}__" if application else ""
    return on_panel(viewer, application) | duty(viewer, f"{prefix}candidate")


def in_charge(viewer: Viewer, position: str) -> Q:
    """The condition that `viewer` is in charge of the position at that path ("" for the position itself).

    Administrators of all; managers of their own, as long as they have the role: a list of managers that still names
    somebody whose role was taken away lets them nowhere. By a subquery, since a join would double rows.
    """
    where = F(f"{position}__pk" if position else "pk")
    if isinstance(viewer, str | OuterRef):  # their roles are asked in the query
        return Q(_an_administrator(_who(viewer))) | Q(_a_manager(_who(viewer), where))
    if viewer.is_administrator:
        return Q(pk__isnull=False)  # not Q(): joined to another condition by "or", that is no condition at all
    if not viewer.is_manager:
        return Q(pk__in=[])
    return Q(_managing(viewer.pk, where))


def readable(viewer: Viewer, application: str) -> Q:
    """The condition under which `viewer` may read others' submitted judgements of the application at that path."""
    prefix = f"{application}__" if application else ""
    done, rates = all_in(application), on_panel(viewer, application)
    as_rater = rates & (
        done
        | Q(**{f"{prefix}position__sealing": SealingPolicy.AFTER_OWN}) & on_panel(viewer, application, submitted=True)
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
    applications = apps.get_model("interviews", "Application")._default_manager
    seats = _seats().filter(interview__application=application)
    # Nobody else can be: it keeps the query from asking the seal about the whole house.
    concerned = (
        Q(pk__in=seats.filter(person__isnull=False).values("person"))
        | Q(positions=application.position_id)
        | Q(roles__contains=[PersonRole.ADMINISTRATOR.value])
    )
    return _people().filter(
        Exists(applications.filter(readable(OuterRef("pk"), ""), pk=application.pk)),
        Exists(seats.filter(card_submitted_at__isnull=False).exclude(person=OuterRef("pk"))),
        pk__in=_people().filter(concerned).values("pk"),
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
