"""One interviewer's card as its page draws it: values with the ratings that count, boundaries, what is left to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from interviews.enums import Aim
from scoring.enums import StatementKind
from scoring.labels import AIDS, AIMS, OUTCOMES, STATEMENT_AIDS, STATEMENTS
from scoring.queries.card_page import CardData, Said
from scoring.queries.titles import Words
from scoring.reports.card_session import Moment
from scoring.reports.levels import LevelDrawing, Scale, draw
from scoring.reports.sentences import ended, one_decimal, reached, reading_of, remarks, why_capped
from scoring.rules import DimensionValue, boundary_content, breadth, number, rating_content

MINI = Scale(start=8, first=30, step=22)
MINI_HEIGHT = 8


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """One rated probe of a dimension: what it was, what was given and counts, and why."""

    probe: Words
    tree: Words
    level: int
    outcome: str
    aid: str
    given: int
    counts: int
    why: str
    asked: str
    moment: Moment | None
    heard: tuple[tuple[str, str | None], ...]
    notes: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Dimension:
    aim: str
    label: str
    value: str
    reading: str
    rows: tuple[ProbeRow, ...]


@dataclass(frozen=True, slots=True)
class BoundaryRow:
    tree: Words
    ticks: tuple[str, ...]
    width: int
    drawing: LevelDrawing
    reached: str
    ended: str
    remarks: tuple[str, ...]


Moments = Mapping[str, Moment]
"""When each question was asked, by the asking's id."""


def draw_dimensions(data: CardData, moments: Moments) -> list[Dimension]:
    return [_dimension(data, data.reading.values[aim], moments) for aim in Aim]


def _dimension(data: CardData, value: DimensionValue, moments: Moments) -> Dimension:
    rows = tuple(_probe(data, row, value.aim, moments) for row in rating_content(value))
    known = number(value.value)
    return Dimension(
        aim=value.aim.value,
        label=str(AIMS[value.aim]),
        value=one_decimal(known) if known is not None else "",
        reading=reading_of(rating_content(value)),
        rows=rows,
    )


def _probe(data: CardData, row: Mapping[str, Any], aim: Aim, moments: Moments) -> ProbeRow:
    mark = data.reading.marks[row["asked"]]
    said = [part for part in data.said if part.asked == row["asked"]]
    wanted = StatementKind.EVIDENCE if aim == Aim.HANDS_ON else StatementKind.REASON if aim == Aim.WHY else None
    heard = [part for part in said if part.kind != StatementKind.NOTE and (wanted is None or part.kind == wanted)]
    return ProbeRow(
        probe=data.titles.probe(row["tree"], row["probe"]),
        tree=data.titles.trees[row["tree"]],
        level=row["level"],
        outcome=str(OUTCOMES[mark.outcome]) if mark.outcome else "",
        aid=str(AIDS[mark.aid]) if mark.aid else "",
        given=row["given"],
        counts=row["counts"],
        why=_("counts as %(counts)s: %(why)s") % {"counts": row["counts"], "why": why_capped(row["caps"])}
        if row["caps"]
        else "",
        asked=row["asked"],
        moment=moments.get(row["asked"]),
        heard=tuple((_named(part), part.words) for part in heard),
        notes=tuple(part.words for part in said if part.kind == StatementKind.NOTE),
    )


@dataclass(frozen=True, slots=True)
class RestRow:
    """What was written on a question that has no place in the dimensions above. `name` is "" for a note."""

    probe: Words
    moment: Moment | None
    name: str
    words: str | None


def draw_rest(data: CardData, moments: Moments) -> list[RestRow]:
    """Evidence, reasons and notes that no rated dimension opens: on questions without a rating of their own."""
    shown = {aim: {row["asked"] for row in rating_content(data.reading.values[aim])} for aim in Aim}
    return [
        RestRow(
            probe=data.titles.probe(probe.tree, probe.probe),
            moment=moments.get(part.asked or ""),
            name="" if part.kind == StatementKind.NOTE else _named(part),
            words=part.words,
        )
        for part in data.said
        if part.asked is not None
        and (probe := data.asked.get(part.asked)) is not None
        and not any(part.asked in shown[aim] for aim in _opened_by(part))
    ]


def _opened_by(part: Said) -> tuple[Aim, ...]:
    """Under which dimensions a probe opens this part (see _probe)."""
    if part.kind == StatementKind.EVIDENCE:
        return Aim.DEPTH, Aim.HANDS_ON
    return (Aim.DEPTH, Aim.WHY) if part.kind == StatementKind.REASON else tuple(Aim)


def _named(part: Said) -> str:
    return pgettext("clause", ", ").join((str(STATEMENTS[part.type]), str(STATEMENT_AIDS[part.aid])))


def draw_boundaries(data: CardData) -> list[BoundaryRow]:
    rows = []
    for tree in data.trees:
        found = data.reading.boundaries.get(tree.id)
        if found is None:
            continue
        content = boundary_content(found)
        levels = max(tree.top_level, content["floor"] or 0, content["ceiling"] or 0)
        rows.append(
            BoundaryRow(
                tree=data.titles.trees[tree.id],
                ticks=tuple(f"M{MINI.x(level):.0f} 4v8" for level in range(levels + 1)),
                width=max(132, int(MINI.x(levels)) + 14),
                drawing=draw(content, MINI, MINI_HEIGHT, dot=4, arrow=15),
                reached=_sentence_case(reached(content)),
                ended=ended(content),
                remarks=tuple(remarks(content)),
            )
        )
    return rows


def _sentence_case(words: str) -> str:
    return words[:1].upper() + words[1:]


def draw_breadth(data: CardData) -> int:
    """How many topics this person found a floor of 2 or more on."""
    floors = {tree: [found.floor] for tree, found in data.reading.boundaries.items() if found.floor is not None}
    return len(breadth(floors, {tree.id: tree.topic for tree in data.trees}))


def not_covered(data: CardData) -> list[Words]:
    """The trees of this interview that were not asked at all."""
    asked = {probe.tree for probe in data.asked.values()}
    return [data.titles.trees[tree.id] for tree in data.trees if tree.top_level and tree.id not in asked]


def voided(data: CardData) -> list[Words]:
    """The judged probes that were voided since: kept as written, and out of every figure."""
    return [data.titles.probe(mark.tree, mark.probe) for mark in data.reading.marks.values() if mark.voided]


def overall_notes(data: CardData) -> Sequence[str | None]:
    return [part.words for part in data.said if part.asked is None]


def card_json(data: CardData) -> dict[str, Any]:
    """The card as other programs read it: values, ratings, boundaries, words. Ids are those of the room."""
    reading = data.reading
    return {
        "seat": str(data.seat.code),
        "interview": str(data.seat.interview.code),
        "person": {"code": str(data.seat.person.code), "name": data.seat.person.name} if data.seat.person else None,
        "state": "submitted" if data.submitted else "amending" if data.amending else "draft",
        "revision": data.submitted.number if data.submitted else None,
        "revisions": [
            {
                "number": row.number,
                "submitted_at": row.submitted_at.isoformat(),
                "after_seeing_others": row.after_seeing_others,
                "reason": row.amendment.body if row.amendment else "",
            }
            for row in data.revisions
        ],
        "after_seeing_others": data.submitted.after_seeing_others if data.submitted else None,
        "recommendation": data.recommendation,
        "summary": data.summary,
        "reason": data.reason,
        "dimensions": {
            aim.value: {
                "value": number(reading.values[aim].value),
                "missing": None if reading.values[aim].value is not None else "not_enough_evidence",
                "ratings": rating_content(reading.values[aim]),
            }
            for aim in Aim
        },
        "boundaries": [
            {"tree": tree, "title": data.titles.trees[tree][0]} | boundary_content(found)
            for tree, found in reading.boundaries.items()
        ],
        "breadth": draw_breadth(data),
        "statements": [
            {"kind": part.kind, "asked": part.asked, "type": part.type, "aid": part.aid, "words": part.words}
            for part in data.said
        ],
    }
