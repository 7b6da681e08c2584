"""What the card's page shows: the author's draft or amendment with its form, or what was submitted."""

from __future__ import annotations

from typing import Any

from interviews.queries.timeline import session
from people.models import Person
from scoring.forms import AmendmentForm, CardForm, DraftForm
from scoring.labels import RECOMMENDATIONS
from scoring.queries.card_page import CardData, open_cards
from scoring.queries.cards import may_submit, unsent_marks
from scoring.reports import card_page
from scoring.reports.amendments import draw_revisions, moved_so_far
from scoring.reports.card_session import draw_session


def page_context(
    viewer: Person,
    data: CardData,
    *,
    form: DraftForm | None = None,
    typed: DraftForm | None = None,
    refused: str = "",
    stale: int | None = None,
) -> dict[str, Any]:
    """Everything card.html reads.

    `typed`: what was sent from a page that is out of date, shown beside a card that has no form any more.

    `stale`: the version that the next attempt builds on, now that its author has been told of it.
    """
    writable = data.own and data.submitted is None
    if form is not None and stale is not None:
        form = type(form)({name: form[name].value() for name in form.fields} | {"version": stale})
    return {
        "data": data,
        "application": data.seat.interview.application,
        "refused": refused,
        "stale": stale is not None and form is not None and _differs(data, form),
        "form": form or _form(data),
        "typed": _typed(typed),
        "writable": writable,
        "may_submit": writable and (data.amending or may_submit(data.seat)),
        "unsent": unsent_marks(data.seat) if writable else 0,
        "choices": _choices(),
        "recommendation": RECOMMENDATIONS.get(data.recommendation or "", ""),
        "others": open_cards(viewer, data.seat) if data.own and data.revisions else [],
        **_drawn(data),
    }


def _form(data: CardData) -> DraftForm:
    initial = {
        "version": data.version,
        "summary": data.summary,
        "recommendation": data.recommendation or "",
        "reason": data.reason,
    }
    return (
        AmendmentForm(initial=initial | {"amendment": data.amendment}) if data.amending else CardForm(initial=initial)
    )


def _differs(data: CardData, form: DraftForm) -> bool:
    """Whether another window saved something else than stands in the form."""
    kept = {"summary": data.summary, "recommendation": data.recommendation, "reason": data.reason}
    return any((form[name].value() or "").strip() != (words or "") for name, words in kept.items())


def _typed(form: DraftForm | None) -> list[tuple[Any, str]]:
    """(label, words) of what was sent and not kept."""
    if form is None:
        return []
    names = [name for name in ("summary", "reason", "amendment") if name in form.fields]
    said = [(form.fields[name].label, form[name].value() or "") for name in names]
    chosen = RECOMMENDATIONS.get(form["recommendation"].value() or "", "")
    return [(label, words) for label, words in [*said, (form.fields["recommendation"].label, str(chosen))] if words]


def _choices() -> list[dict[str, Any]]:
    return [
        {"value": value, "label": label, "key": str(place)}
        for place, (value, label) in enumerate(RECOMMENDATIONS.items(), start=1)
    ]


def _drawn(data: CardData) -> dict[str, Any]:
    beside = draw_session(session(data.seat.interview))
    return {
        "session": beside,
        "dimensions": card_page.draw_dimensions(data, beside.moments),
        "rest": card_page.draw_rest(data, beside.moments),
        "boundaries": card_page.draw_boundaries(data),
        "breadth": card_page.draw_breadth(data),
        "not_covered": card_page.not_covered(data),
        "voided": card_page.voided(data),
        "notes": card_page.overall_notes(data),
        "revisions": draw_revisions(data),
        "moved": moved_so_far(data),
        "unmarked": [
            {
                "asked": str(probe.row.pk),
                "title": data.titles.probe(probe.tree, probe.probe),
                "tree": data.titles.trees[probe.tree],
                "level": probe.level,
                "moment": beside.moments.get(str(probe.row.pk)),
            }
            for probe in data.unmarked
        ],
    }
