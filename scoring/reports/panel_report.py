"""The whole panel card as a plain object: what its page and its paper draw. No request, no template, no query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from people.models import Person
from scoring.queries.panel_page import PanelNames
from scoring.reports import boundary_map, dimensions, panel_page
from scoring.reports.amended import Amended, amended, panel_moved
from scoring.reports.behind import Behind, behind
from scoring.reports.spread import Spread, spread
from scoring.reports.working import Working, working


@dataclass(frozen=True, slots=True)
class PanelReport:
    """`raters`: letter and person, in the order of the letters. Drawings are in two shapes, for wide and narrow."""

    raters: tuple[tuple[str, Person], ...]
    spread: Spread
    provisional: list[str]
    plot: dimensions.Plot
    plot_narrow: dimensions.Plot
    first: list[panel_page.Item]
    topics: int
    seen: str
    working: Working
    map: boundary_map.Map
    map_narrow: boundary_map.Map
    disagreements: list[panel_page.Item]
    not_covered: list[panel_page.Item]
    weak_spots: list[panel_page.Item]
    behind: list[Behind]
    evidence: list[panel_page.EvidenceRow]
    recommendations: list[panel_page.RecommendationRow]
    amended: list[Amended]
    panel_moved: list[str]


def panel_report(content: Mapping[str, Any], names: PanelNames, *, named: bool) -> PanelReport:
    """Put a card's content into words and drawings, in the language that is active.

    `named`: the reader may know how strictly each person marks (who is in charge); raters are told of the panel.
    """
    return PanelReport(
        raters=tuple((names.letters[pk], person) for pk, person in names.people.items()),
        spread=spread(content, names),
        provisional=panel_page.provisional(content),
        plot=panel_page.draw_dimensions(content, names),
        plot_narrow=panel_page.draw_dimensions(content, names, dimensions.NARROW),
        first=panel_page.first_look(content, names),
        topics=content["breadth"]["count"],
        seen=panel_page.seen(content, names),
        working=working(content, names, named=named),
        map=panel_page.draw_map(content, names),
        map_narrow=panel_page.draw_map(content, names, boundary_map.NARROW),
        disagreements=panel_page.disagreements(content, names),
        not_covered=panel_page.not_covered(content, names),
        weak_spots=panel_page.weak_spots(content, names),
        behind=behind(content, names),
        evidence=panel_page.evidence(content, names),
        recommendations=panel_page.recommendations(content, names),
        amended=amended(content, names),
        panel_moved=panel_moved(content),
    )
