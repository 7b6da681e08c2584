"""The panel card as its page draws it: values, map, findings, evidence and recommendations, every id in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.labels import AIMS, RECOMMENDATIONS, STATEMENT_AIDS, STATEMENTS
from scoring.queries.panel_page import PanelNames
from scoring.queries.titles import Words
from scoring.reports import boundary_map, dimensions
from scoring.reports.sentences import one_decimal

Content = Mapping[str, Any]
Finding = Mapping[str, Any]
FIRST_SHOWN = 4


class Card(NamedTuple):
    """Whose card to read, and its seat's code."""

    name: str
    seat: UUID


@dataclass(frozen=True, slots=True)
class Item:
    """One finding: what it is, the sentence after it, and where on the page it is worked out."""

    head: str
    text: str
    lang: str = ""
    note: str = ""
    href: str = ""
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    type: str
    words: str | None
    where: Words
    level: int
    who: str
    aid: str
    counts_for: str


@dataclass(frozen=True, slots=True)
class RecommendationRow:
    name: str
    seat: Any
    recommendation: str
    words: str | None
    after_seeing_others: bool
    amended: bool


def draw_dimensions(content: Content, names: PanelNames, shape: dimensions.Shape = dimensions.WIDE) -> dimensions.Plot:
    clashes = {
        row["aim"]: _("%(one)s and %(other)s differ") % _letters(row, names)
        for row in content["disagreements"]
        if row["kind"] == "value"
    }
    return dimensions.draw(content["dimensions"], names.letters, _people(names), clashes, shape=shape)


def draw_map(content: Content, names: PanelNames, shape: boundary_map.Shape = boundary_map.WIDE) -> boundary_map.Map:
    clashes = {
        row["tree"]: ngettext(
            "%(one)s and %(other)s differ by %(count)s level",
            "%(one)s and %(other)s differ by %(count)s levels",
            row["difference"],
        )
        % (_letters(row, names) | {"count": row["difference"]})
        for row in content["disagreements"]
        if row["kind"] == "floor"
    }
    return boundary_map.draw_map(
        content["trees"],
        titles=names.titles.trees,
        letters=names.letters,
        names=_people(names),
        clashes=clashes,
        shape=shape,
    )


def _letters(row: Finding, names: PanelNames) -> dict[str, Any]:
    one, other = sorted(names.letters[row[end]["person"]] for end in ("low", "high"))
    return {"one": one, "other": other}


def _people(names: PanelNames) -> dict[int, str]:
    return {pk: person.name for pk, person in names.people.items()}


def disagreements(content: Content, names: PanelNames) -> list[Item]:
    return [_disagreement(row, content, names) for row in content["disagreements"]]


def _disagreement(row: Finding, content: Content, names: PanelNames) -> Item:
    low, high = _name(names, row["low"]), _name(names, row["high"])
    cards = cards_of((row["high"]["person"], row["low"]["person"]), names)
    if row["kind"] == "value":
        return Item(
            head=_("%(aim)s, %(difference)s apart.")
            % {"aim": AIMS[row["aim"]], "difference": one_decimal(row["difference"])},
            text=_("%(high)s %(high_value)s, %(low)s %(low_value)s.")
            % {
                "high": high,
                "high_value": one_decimal(row["high"]["value"]),
                "low": low,
                "low_value": one_decimal(row["low"]["value"]),
            }
            + " "
            + _rated_by_both(row, content),
            cards=cards,
        )
    title, lang = names.titles.trees[row["tree"]]
    text = _("Floors: %(high)s %(high_floor)s, %(low)s %(low_floor)s.") % {
        "high": high,
        "high_floor": row["high"]["floor"],
        "low": low,
        "low_floor": row["low"]["floor"],
    }
    if row["low_at_least"]:
        text += " " + _("%(low)s was cut short, so it may be no disagreement.") % {"low": low}
    return Item(head=title, lang=lang, text=text, cards=cards)


def _rated_by_both(row: Finding, content: Content) -> str:
    """Whether they speak of the same answers."""
    rated = {
        rater["person"]: {rating["asked"] for rating in rater["ratings"]}
        for rater in content["dimensions"][row["aim"]]["by_rater"]
    }
    count = len(rated[row["low"]["person"]] & rated[row["high"]["person"]])
    if not count:
        return _("They rated no answer in common.")
    return ngettext("%(count)s answer rated by both.", "%(count)s answers rated by both.", count) % {"count": count}


def cards_of(people: Iterable[int], names: PanelNames) -> tuple[Card, ...]:
    """The cards of these people, in this order; somebody with two interviews has two."""
    return tuple(
        Card(names.people[person].name, revision.seat.code)
        for person in people
        for revision in names.revisions.values()
        if revision.seat.person_id == person
    )


def _name(names: PanelNames, row: Mapping[str, Any]) -> str:
    return names.people[row["person"]].name


def not_covered(content: Content, names: PanelNames) -> list[Item]:
    return [_uncovered(row, names) for row in content["not_covered"]]


def _uncovered(row: Finding, names: PanelNames) -> Item:
    aim = str(AIMS[row["aim"]]) if "aim" in row else ""
    if row["kind"] == "not_enough_evidence":
        return Item(head=aim, text=_("Not enough evidence: nobody rated two probes of it."))
    title, lang = names.titles.trees[row["tree"]]
    text = {
        "tree_not_asked": lambda: _("Required by the plan, not asked by anyone."),
        "aim_not_asked": lambda: _("%(aim)s: no probe of that aim was asked.") % {"aim": aim},
        "aim_not_rated": lambda: _("%(aim)s: asked, and rated by nobody.") % {"aim": aim},
        "not_judged": lambda: _("Level %(level)s was asked and judged by nobody.") % {"level": row["level"]},
    }[row["kind"]]()
    return Item(head=title, lang=lang, text=text)


def weak_spots(content: Content, names: PanelNames) -> list[Item]:
    return [_weak_spot(row, names) for row in content["weak_spots"]]


def _weak_spot(row: Finding, names: PanelNames) -> Item:
    title, lang = names.titles.trees[row["tree"]]
    words = {"level": row["level"], "misses": row["misses"], "raters": row["raters"]}
    text = {
        "missed": lambda: ngettext(
            "%(misses)s of %(raters)s heard a miss, around level %(level)s.",
            "%(misses)s of %(raters)s heard a miss, around level %(level)s.",
            row["misses"],
        ),
        "unclear": lambda: _("Level %(level)s stayed unclear."),
        "unknown_above": lambda: _("Nobody asked level %(level)s."),
    }[row["kind"]]() % words
    note = ""
    if row["probe"]:
        ask, _lang = names.titles.probe(row["tree"], row["probe"]["key"])
        note = _("Ask: %(probe)s (level %(level)s, %(minutes)s min)") % {
            "probe": ask,
            "level": row["level"],
            "minutes": row["probe"]["minutes"],
        }
    return Item(head=title, lang=lang, text=text, note=note)


def first_look(content: Content, names: PanelNames) -> list[Item]:
    """The few things to look at first: what the panel disagrees on, then what nobody covered, then the weak spots."""
    found = []
    for row in content["disagreements"]:
        item = _disagreement(row, content, names)
        head = (
            _("The panel disagrees on %(what)s") % {"what": str(AIMS[row["aim"]]).lower()}
            if row["kind"] == "value"
            else _("Floors apart: %(tree)s") % {"tree": item.head}
        )
        found.append(Item(head=head, text=item.text, href="#disagree"))
    uncovered = [row for row in content["not_covered"] if row["kind"] in {"tree_not_asked", "not_enough_evidence"}]
    for row in uncovered:
        item = _uncovered(row, names)
        found.append(Item(head=item.head, lang=item.lang, text=item.text, href="#gaps"))
    found += [replace(item, note="", href="#weak") for item in weak_spots(content, names)[:2]]
    return found[:FIRST_SHOWN]


def evidence(content: Content, names: PanelNames) -> list[EvidenceRow]:
    """Every piece with its words, strongest first."""
    rows = []
    for row in content["evidence"]:
        counts_for = str(AIMS[row["counts_for"]])
        if row["type"] == "read_about":
            counts_for = _("%(aim)s, at most 1 alone") % {"aim": counts_for}
        rows.append(
            EvidenceRow(
                type=str(STATEMENTS[row["type"]]),
                words=names.texts.get(row["statement"]),
                where=names.titles.trees[row["tree"]],
                level=row["level"],
                who=names.people[row["person"]].name,
                aid=str(STATEMENT_AIDS[row["aid"]]),
                counts_for=counts_for,
            )
        )
    return rows


def recommendations(content: Content, names: PanelNames) -> list[RecommendationRow]:
    amended = {rater["person"] for rater in content["raters"] if rater["amended"]}
    rows = []
    for row in content["recommendations"]["by_rater"]:
        revision = names.revisions.get(row["revision"])
        text = (revision.reason or revision.summary) if revision else None
        rows.append(
            RecommendationRow(
                name=names.people[row["person"]].name,
                seat=revision.seat.code if revision else None,
                recommendation=str(RECOMMENDATIONS[row["recommendation"]]),
                words=text.body if text else "",
                after_seeing_others=bool(revision and revision.after_seeing_others),
                amended=row["person"] in amended,
            )
        )
    return rows


def provisional(content: Content) -> list[str]:
    """Which values rest on fewer than three independent raters, in sentences; empty when none does.

    A dimension without a value says "not enough evidence" in its place; there is nothing to call provisional.
    """
    given = content["dimensions"].items()
    rows = [(aim, row) for aim, row in given if row["provisional"] and row["value"] is not None]
    return [
        ngettext(
            "%(aim)s rests on %(count)s independent interviewer.",
            "%(aim)s rests on %(count)s independent interviewers.",
            row["independent_raters"],
        )
        % {"aim": AIMS[aim], "count": row["independent_raters"]}
        for aim, row in rows
    ]


def seen(content: Content, names: PanelNames) -> str:
    """How much was asked, in how many interviews, and for how long where that is still known."""
    probes = ngettext("%(count)s probe", "%(count)s probes", content["probes_asked"]) % {
        "count": content["probes_asked"]
    }
    interviews = ngettext("%(count)s interview", "%(count)s interviews", len(names.interviews)) % {
        "count": len(names.interviews)
    }
    if names.time_seen is None:
        return _("%(probes)s in %(interviews)s") % {"probes": probes, "interviews": interviews}
    return _("%(probes)s in %(interviews)s, %(time)s") % {
        "probes": probes,
        "interviews": interviews,
        "time": duration(names.time_seen),
    }


def duration(time: timedelta) -> str:
    hours, minutes = divmod(round(time / timedelta(minutes=1)), 60)
    return (
        _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
        if hours
        else (_("%(minutes)s min") % {"minutes": minutes})
    )


def panel_json(content: Content, names: PanelNames, *, named: bool) -> dict[str, Any]:
    """Names for the ids in a card's content, for programs. Evidence has its words.

    `named`: the reader may know how strictly each person marks; others learn it of the panel as a whole.
    """
    titles, calibration = names.titles, content["calibration"]
    if calibration and not named:
        calibration = {name: value for name, value in calibration.items() if name != "severities"}
    return {
        "content": {**content, "calibration": calibration},
        "people": {
            str(pk): {"code": str(person.code), "name": person.name, "letter": names.letters[pk]}
            for pk, person in names.people.items()
        },
        "trees": {
            str(tree): {"key": titles.keys[tree], "title": title} for tree, (title, _lang) in titles.trees.items()
        },
        "statements": {str(pk): words for pk, words in names.texts.items()},
    }
