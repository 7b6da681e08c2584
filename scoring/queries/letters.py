"""Who may write to a candidate what they learned, and what a letter is drafted from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from interviews.enums import Decision
from interviews.models import Application, CandidateIdentity, Interview
from interviews.queries.hiring import judges
from interviews.sealed import all_in, may_read_panel
from people.models import Person
from scoring.models import FeedbackLetter
from scoring.queries.cards import Sealed, application_for, is_in_charge, is_rater
from scoring.queries.panel import panel_visible_to
from scoring.queries.titles import Titles, load_titles

# To decide for another interview is not to have decided.
DECIDED = Q(decision__in=(Decision.OFFER, Decision.NO_OFFER))


class TooEarly(PermissionDenied):
    """The application may still be judged: no letter yet. For who is in charge and judges nobody here."""

    def __str__(self) -> str:
        return _("A letter can be written once all cards are in, or the decision is made.")


def letter_application(viewer: Person, code: UUID) -> Application:
    """Fetch an application whose letter the viewer may write: in charge of it, reading it, when all is in or decided.

    404 for strangers; 403 for insiders without the right, and before the time has come.
    """
    application = application_for(viewer, code)
    if not is_in_charge(viewer, application):
        raise Sealed
    told = not is_rater(viewer, application) and not judges(viewer, application)
    if not Application.objects.filter(all_in("") | DECIDED, pk=application.pk).exists():
        raise TooEarly if told else Sealed
    if not may_read_panel(viewer, application):
        raise Sealed
    return application


def identity_of(application: Application) -> CandidateIdentity | None:
    """Return the candidate's name, address and language; None once anonymised."""
    return getattr(application.candidate, "identity", None)


def draft_of(application: Application) -> FeedbackLetter | None:
    """Return the letter that was begun and not sent, with its text."""
    return FeedbackLetter.objects.select_related("text").filter(application=application, queued_at__isnull=True).first()


def letter_version(application: Application) -> int:
    """How often letters to the candidate were written, those that went out among them: what a form builds on."""
    written: int | None = FeedbackLetter.objects.filter(application=application).aggregate(n=Sum("version"))["n"]
    return written or 0


def sent_letters(application: Application) -> list[FeedbackLetter]:
    """Return what was sent or waits to be, latest first, with its text and who sent it."""
    letters = FeedbackLetter.objects.select_related("text", "by").filter(
        application=application, queued_at__isnull=False
    )
    return list(letters.order_by("-queued_at"))


@dataclass(frozen=True, slots=True)
class Ground:
    """What a letter is drafted from: a panel card's content (empty without a card) and what its trees are called."""

    content: dict[str, Any]
    titles: Titles


def load_ground(viewer: Person, application: Application) -> Ground:
    """Load it through the seal; titles in the language that is active, which is the candidate's."""
    card = panel_visible_to(viewer, application)
    content: dict[str, Any] = card.content if card else {"trees": [], "weak_spots": []}
    interviews = Interview.objects.filter(application=application, started_at__isnull=False)
    trees = [tree["tree"] for tree in content["trees"]]
    return Ground(content, load_titles(interviews.values_list("pk", flat=True), asked={}, trees=trees))
