"""The panel card on paper: the page's own drawings and words, in a document of their own."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from people.models import Person
from scoring.models import PanelScorecard
from scoring.printing.style import with_drawing_style
from scoring.queries.panel_page import PanelAccess, PanelNames
from scoring.reports import panel_page


def document(
    access: PanelAccess, card: PanelScorecard, names: PanelNames, *, reader: Person, printed_at: datetime
) -> str:
    """Return the card as a whole HTML document in the language and zone that are active, for scoring.printing."""
    content = card.content
    context: dict[str, Any] = {
        "application": access.application,
        "reader": reader,
        "printed_at": printed_at,
        "compiling": access.compiling,
        "opened_early": access.application.opened_at and access.in_charge,
        "card": card,
        "content": content,
        "raters": [(names.letters[pk], person) for pk, person in names.people.items()],
        "plot": panel_page.draw_dimensions(content, names),
        "map": panel_page.draw_map(content, names),
        "seen": panel_page.seen(content, names),
        "provisional": panel_page.provisional(content),
        "disagreements": panel_page.disagreements(content, names),
        "not_covered": panel_page.not_covered(content, names),
        "weak_spots": panel_page.weak_spots(content, names),
        "evidence": panel_page.evidence(content, names),
        "recommendations": panel_page.recommendations(content, names),
        "amendments": panel_page.amendments(content, names),
    }
    return with_drawing_style(render_to_string("scoring/print/panel.html", context))
