"""Voiding a probe: its marks leave values, boundary and model of a position, for everyone, and no mark is deleted."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from interviews.models import Position, Void
from people import audit
from people.models import Person
from people.refusal import Refused
from questionbank.models import Tree
from scoring.queries.voids import applications_asked, is_known
from scoring.services.panels import ask_for_panel


class AlreadyVoided(Refused):
    """The probe counts for nothing in this position already."""


def void_probe(*, position: Position, tree: Tree, probe: str, by: Person, reason: str) -> Void:
    """Take a probe's marks out of every reading of the position, and have the cards that asked it compiled again.

    `probe` is its key in the tree. Revisions keep what was written: the row says how they are read from now on. There
    is no way back, since what was decided meanwhile was decided without the probe. Raises AlreadyVoided, Refused (no
    reason, no such probe); then nothing has changed.

    The caller fetched the position with the right to it (views.access.managed_position).
    """
    if not reason.strip():
        raise Refused(_("Say why this probe counts for nothing."), field="reason")
    if not is_known(position, tree, probe):
        raise Refused(_("This position has no such probe. Reload the page and choose again."), field="probe")
    with transaction.atomic():
        # Two managers at once wait for each other here; the second finds the first one's row.
        Position.objects.select_for_update(no_key=True).get(pk=position.pk)
        if Void.objects.filter(position=position, tree=tree, probe_key=probe).exists():
            raise AlreadyVoided(_("This probe is voided already."), field="probe")
        void = Void.objects.create(position=position, tree=tree, probe_key=probe, by=by, reason=reason.strip())
        audit.record(by, "probe.voided", position, void=void.pk, tree=tree.pk)
        for application in applications_asked(position, tree, probe):
            ask_for_panel(application)
    return void
