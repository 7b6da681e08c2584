"""The no-repeat guard: which trees other interviews of the application opened. Nothing of depth, minutes or outcome."""

from __future__ import annotations

from interviews.models import Asked, Interview
from interviews.queries.pinned import Texts

BRANCHES = ("probe", "adhoc__parent")  # a question of a lead's own counts for the tree it was asked in


def opened_before(interview: Interview) -> dict[str, Texts]:
    """Return {key: title} of the trees of which another interview of the application asked a question that stands.

    One query. Who asked, how much, and how it was answered is nowhere in it, so whoever still owes a card may read it.
    """
    elsewhere = Asked.objects.filter(
        interview__application=interview.application_id, retracted_at__isnull=True
    ).exclude(interview=interview)
    columns = [f"{branch}__version__{name}" for branch in BRANCHES for name in ("tree__key", "title")]
    rows = elsewhere.order_by(*columns).values_list(*columns).distinct()
    return {own or adhoc: title or of_adhoc for own, title, adhoc, of_adhoc in rows}
