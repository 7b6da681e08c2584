"""The calibration in words: how far interviewers differ, what allowing for it buys, and what can't be told.

Sentences first; every figure behind them stands in the statistics. No request and no query here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.labels import AIMS, Words
from scoring.queries.calibrated import FEWEST_RATERS
from scoring.queries.overview import Overview
from scoring.reports import reliability_plot, severity_plot, wright_map
from scoring.reports.cannot_tell import cannot_tell
from scoring.reports.points import HARDLY, beyond_chance, known
from scoring.reports.reliability_plot import ReliabilityPlot
from scoring.reports.sentences import one_decimal, two_decimals
from scoring.reports.severity_plot import SeverityPlot
from scoring.reports.wright_map import WrightMap

Content = Mapping[str, Any]
LITTLE = 0.02
"""A gain in reliability below which calibration is said to buy little."""
WANTED = 0.9
"""The reliability that the number of interviewers is told for."""


@dataclass(frozen=True, slots=True)
class Component:
    """A share of what ratings vary by. `taken`: calibration takes it out of a candidate's value."""

    label: str
    percent: int
    taken: bool


@dataclass(frozen=True, slots=True)
class NamedProbe:
    """`words`: its title and the language of that."""

    words: tuple[str, str]
    aim: Words
    difficulty: str


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """`lead`: what everything here is made from."""

    lead: str
    differ: tuple[str, ...]
    severity: SeverityPlot
    buys: tuple[str, ...]
    components: tuple[Component, ...]
    study_says: tuple[str, ...]
    study: ReliabilityPlot
    map_says: tuple[str, ...]
    map: WrightMap
    hardest: tuple[NamedProbe, ...]
    easiest: tuple[NamedProbe, ...]
    together: tuple[str, ...]
    untold: tuple[str, ...]
    statistics: tuple[tuple[str, str], ...]


def calibration_report(found: Overview) -> CalibrationReport:
    content = found.run.content
    severities = content.get("severities", [])
    study = content.get("decision_study", [])
    return CalibrationReport(
        lead=_lead(content),
        differ=tuple(_differ(content, severities)),
        severity=severity_plot.draw(severities, found.people),
        buys=tuple(_buys(content, study)),
        components=tuple(_component(row) for row in content.get("components", [])),
        study_says=tuple(_study_says(study)),
        study=reliability_plot.draw(study),
        map_says=tuple(_map_says(content)),
        map=wright_map.draw(content),
        hardest=tuple(_named(item, found) for item in found.hardest),
        easiest=tuple(_named(item, found) for item in found.easiest),
        together=tuple(_together(content)),
        untold=tuple(cannot_tell(content, found.people)),
        statistics=tuple(_statistics(content)),
    )


def _lead(content: Content) -> str:
    return _("%(ratings)s ratings of %(candidates)s candidates by %(interviewers)s interviewers.") % {
        "ratings": content["n"],
        "candidates": len(content["candidates"]),
        "interviewers": len(content["interviewers"]),
    }


# --- how far interviewers differ --------------------------------------------------------------------------------------


def _differ(content: Content, severities: Sequence[Content]) -> Iterator[str]:
    typical = content.get("severity_points")
    if typical is None:
        return
    if abs(typical) < HARDLY:
        yield _("Interviewers hardly differ in how strictly they mark.")
    else:
        yield _("An interviewer typically marks %(points)s points higher or lower than the average one.") % {
            "points": one_decimal(typical)
        }
    told = [one["points"][0] for one in severities if known(one)]
    if len(told) > 1:
        yield _("Between the strictest and the mildest lie %(points)s points on the same answer.") % {
            "points": one_decimal(max(told) - min(told))
        }
    apart = sum(beyond_chance(one["points"]) for one in severities if known(one))
    yield ngettext(
        "%(count)s of %(of)s differs from the average by more than chance would make them.",
        "%(count)s of %(of)s differ from the average by more than chance would make them.",
        apart,
    ) % {"count": apart, "of": len(severities)}
    if few := sum(not known(one) for one in severities):
        yield ngettext(
            "Of %(count)s too little is known: they are taken as average, and intervals are wider for it.",
            "Of %(count)s too little is known: they are taken as average, and intervals are wider for it.",
            few,
        ) % {"count": few}


# --- what calibration buys --------------------------------------------------------------------------------------------


def _buys(content: Content, study: Sequence[Content]) -> Iterator[str]:
    if not study:
        return
    usual = _usual_panel(content, len(study))
    here = study[usual - 1]
    gain = here["reliability"] - here["raw_reliability"]
    words = {
        "count": usual,
        "calibrated": two_decimals(here["reliability"]),
        "raw": two_decimals(here["raw_reliability"]),
    }
    if gain < LITTLE:
        yield _("Calibration buys little here: who asks and what is asked move ratings hardly at all.")
        yield _("Raw means reach a reliability of %(raw)s, calibrated values %(calibrated)s.") % words
        return
    yield (
        ngettext(
            "With %(count)s interviewer, as is usual here, reliability is %(calibrated)s for calibrated values and "
            "%(raw)s for raw means.",
            "With %(count)s interviewers, as is usual here, reliability is %(calibrated)s for calibrated values and "
            "%(raw)s for raw means.",
            usual,
        )
        % words
    )
    enough = next((row["interviewers"] for row in study if row["raw_reliability"] >= here["reliability"]), None)
    if enough is None:
        yield _("Raw means would not get there with %(most)s.") % {"most": len(study)}
    else:
        yield _("Raw means would need %(count)s for as much.") % {"count": enough}


def _usual_panel(content: Content, most: int) -> int:
    met = [row["interviewers"] for row in content["candidates"]]
    return min(max(round(median(met)), 1), most) if met else 1


def _component(row: Content) -> Component:
    return Component(_kinds()[row["kind"]], round(100 * row["share"]), row["kind"] in {"severity", "difficulty"})


def _kinds() -> dict[str, str]:
    return {
        "candidate": _("How capable candidates are"),
        "dimension": _("How one candidate's dimensions differ"),
        "halo": _("The impression of one conversation (halo)"),
        "answer": _("The luck of one answer"),
        "severity": _("Who asks (severity)"),
        "difficulty": _("What is asked (difficulty)"),
        "rating": _("Everything else about a single rating"),
    }


def _study_says(study: Sequence[Content]) -> Iterator[str]:
    if not study:
        return
    reached = {row["interviewers"]: row["reliability"] for row in study}
    if FEWEST_RATERS in reached and FEWEST_RATERS + 1 in reached:
        yield _("Two interviewers reach %(two)s, three reach %(three)s.") % {
            "two": two_decimals(reached[FEWEST_RATERS]),
            "three": two_decimals(reached[FEWEST_RATERS + 1]),
        }
    enough = next((count for count, value in reached.items() if value >= WANTED), None)
    words = {"wanted": two_decimals(WANTED), "count": enough, "most": len(study)}
    if enough is None:
        yield _("Not even %(most)s reach %(wanted)s.") % words
    else:
        yield _("For %(wanted)s it takes %(count)s.") % words
    yield _(
        "Reliability is the share of the differences between candidates' values that is not error: 1 is none, 0 all."
    )


# --- the map, and the house together ----------------------------------------------------------------------------------


def _map_says(content: Content) -> Iterator[str]:
    yield _("Candidates, interviewers and probes on one scale: more capable, stricter, harder to the right.")
    level = content["scales"][0]["intercept"]
    items = [row["estimate"] for row in content["items"]]
    people = [row["estimate"] + level for row in content["candidates"]]
    above = sum(one > max(items) for one in people)
    below = sum(one < min(items) for one in people)
    if not above and not below:
        yield _(
            "There are probes about as hard for every candidate: nobody stands above the hardest or below the easiest."
        )
        return
    if above:
        yield ngettext(
            "%(count)s candidate stands above the hardest probe: harder ones would tell more of them.",
            "%(count)s candidates stand above the hardest probe: harder ones would tell more of them.",
            above,
        ) % {"count": above}
    if below:
        yield ngettext(
            "%(count)s candidate stands below the easiest probe: easier ones would tell more of them.",
            "%(count)s candidates stand below the easiest probe: easier ones would tell more of them.",
            below,
        ) % {"count": below}


def _named(item: Content, found: Overview) -> NamedProbe:
    words = found.titles.get(item["id"], (item["id"].split("/")[1], ""))
    value = item["estimate"]
    return NamedProbe(words, AIMS.get(item["dimension"], ""), f"{'−' if value < 0 else '+'}{two_decimals(abs(value))}")


def _together(content: Content) -> Iterator[str]:
    if agreed := _by_aim(content):
        yield _("On the same answer two interviewers are at most one point apart: %(shares)s.") % {
            "shares": _(", ").join(
                _("%(aim)s %(percent)s %% of pairs")
                % {"aim": str(AIMS[aim]).lower(), "percent": round(100 * row["within_one"])}
                for aim, row in agreed
            )
        }
    if halo := content.get("halo_points"):
        yield _("One conversation's impression moves all its ratings by %(points)s points, typically.") % {
            "points": one_decimal(halo)
        }
    if lead := content.get("lead_effect"):
        yield _lead_says(lead["points"])
    drifted = content.get("drift")
    if drifted is None:
        yield _("Whether anybody became stricter can't be told yet.")
    elif not drifted["moved"]:
        yield _("Nobody became stricter or milder lately, of %(tested)s who could be tested.") % drifted
    else:
        yield (
            ngettext(
                "%(moved)s of %(tested)s who could be tested seems to have become stricter or milder: a reason to "
                "look, not a verdict.",
                "%(moved)s of %(tested)s who could be tested seem to have become stricter or milder: a reason to "
                "look, not a verdict.",
                drifted["moved"],
            )
            % drifted
        )


def _by_aim(content: Content) -> list[tuple[str, Content]]:
    found = content.get("agreement") or {}
    return [(aim, found[aim]) for aim in AIMS if aim in found]


def _lead_says(points: Sequence[float]) -> str:
    if not beyond_chance(points) or abs(points[0]) < HARDLY:
        return _("Whoever asks marks the answer like those who listen.")
    words = _("Whoever asks marks the answer %(points)s points higher than those who listen.")
    if points[0] < 0:
        words = _("Whoever asks marks the answer %(points)s points lower than those who listen.")
    return words % {"points": one_decimal(abs(points[0]))}


# --- statistics, on demand --------------------------------------------------------------------------------------------


def _statistics(content: Content) -> Iterator[tuple[str, str]]:
    for name, label in (
        ("candidates", _("Candidates")),
        ("interviewers", _("Interviewers")),
        ("items", _("Probes")),
    ):
        row = content["reliability"][name]
        if row["reliability"] is not None and row["separation"] is not None:
            yield (
                label,
                _("reliability %(reliability)s, separation %(separation)s")
                % {"reliability": two_decimals(row["reliability"]), "separation": two_decimals(row["separation"])},
            )
    for aim, row in _by_aim(content):
        yield str(AIMS[aim]), _agreement(row)
    steps = [value for value in content["scales"][0]["thresholds"] if value is not None]
    yield _("Thresholds, in logits"), _(", ").join(two_decimals(value).replace("-", "−") for value in steps)
    yield (
        _("Standard deviations, in logits"),
        _(", ").join(f"{_kinds()[kind]} {two_decimals(value**0.5)}" for kind, value in content["variances"].items()),
    )
    yield _("Fit"), _fits(content)


def _agreement(row: Content) -> str:
    parts = []
    if row["alpha"][0] is not None:
        parts.append(_("alpha %(value)s (%(low)s to %(high)s)") % _ends(row["alpha"]))
    if row["icc"][0] is not None:
        parts.append(_("ICC %(value)s (%(low)s to %(high)s)") % _ends(row["icc"]))
    if row["kappa"] is not None:
        parts.append(_("weighted kappa %(value)s") % {"value": two_decimals(row["kappa"])})
    parts.append(ngettext("%(count)s answer", "%(count)s answers", row["answers"]) % {"count": row["answers"]})
    return _(", ").join(parts)


def _ends(found: Sequence[float | None]) -> dict[str, str]:
    return {
        name: two_decimals(value) if value is not None else "?"
        for name, value in zip(("value", "low", "high"), found, strict=True)
    }


def _fits(content: Content) -> str:
    """How many interviewers mark noisily or too evenly, by mean square and z together."""
    marks = Counter(
        "noisy" if row["infit"] > 1 else "even"
        for row in content["interviewers"]
        if row["infit"] is not None and abs(row["infit_z"] or 0) > 2 and abs(row["infit"] - 1) > 0.3
    )
    return _("%(noisy)s interviewers mark more erratically than the model expects, %(even)s more evenly") % {
        "noisy": marks["noisy"],
        "even": marks["even"],
    }
