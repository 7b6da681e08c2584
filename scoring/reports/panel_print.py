"""The panel card on paper: the page's own report, in a document of its own."""

from __future__ import annotations

from datetime import datetime

from django.template.loader import render_to_string

from people.models import Person
from scoring.models import PanelScorecard
from scoring.printing.style import with_drawing_style
from scoring.queries.judges import judges_heard
from scoring.queries.panel_page import PanelAccess, PanelNames
from scoring.reports.judged import judged_note
from scoring.reports.panel_report import panel_report
from scoring.reports.voided import voided


def document(
    access: PanelAccess, card: PanelScorecard, names: PanelNames, *, reader: Person, printed_at: datetime
) -> str:
    """Return the card as a whole HTML document in the language and zone that are active, for scoring.printing."""
    context = {
        "application": access.application,
        "card": card,
        "report": panel_report(card.content, names, named=access.in_charge),
        "voided": voided(card.inputs, names),
        "judged": judged_note(judges_heard(reader, access.application)),
        "reader": reader,
        "printed_at": printed_at,
        "compiling": access.compiling,
        "opened_early": access.application.opened_at and access.in_charge,
    }
    return with_drawing_style(render_to_string("scoring/print/panel.html", context))
