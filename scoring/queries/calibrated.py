"""What the calibration in use says of one application: its candidate scored again, at once, with all else held."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from interviews.enums import Aim, Role
from interviews.models import Application
from questionbank.enums import Scoring
from questionbank.models import Probe
from questionbank.queries import published_trees
from scoring.calibration.calibrated import Calibrated, calibrate_candidate, points_stricter
from scoring.calibration.rows import JUDGE, item_name, rater_name, ratings_of
from scoring.queries.judges import load_counting
from scoring.queries.runs import load_wordings, newest_run_id, read_run
from scoring.rules import CalibratedIn, CalibrationIn, PanelInputs, SeverityIn
from scoring.rules.aside import as_judge, judged_rows
from scoring.rules.linked import rows_of
from scoring.rules.readings import RaterReading, read_rater

LINKED_RATINGS, LINKED_CANDIDATES = 30, 5
"""Ratings of candidates whom others rated too, and such candidates: below either of these an interviewer's severity is
taken as average."""
FEWEST_RATERS = 2
"""Below this many no value is calibrated: one person's luck and strictness can't be told from the candidate."""
PLACES = 4


def load_calibration(application: Application, inputs: PanelInputs) -> CalibrationIn | None:
    """Return what the newest run says of these inputs; None before there is one, or where nobody's card counts.

    A dimension is left out with fewer than two interviewers who have a value of it, or where none of them shares a
    candidate or a probe with the rest of the house: nothing ties their scale to anybody else's.
    """
    newest = newest_run_id()
    raters = [rater for rater in inputs.raters if rater.role != Role.SHADOW] if newest is not None else []
    readings = [read_rater(rater, inputs.trees) for rater in raters]
    rows = sorted(row for reading in readings for row in rows_of(inputs.application, reading))
    if newest is None or not rows:
        return None
    rows += sorted(as_judge(row) for row in judged_rows(inputs, load_counting(application.pk)))
    run = read_run(newest)
    known = run.raters
    people = {rater_name(row.person) for row in rows}
    average = {person for person in people if not _is_linked(known.get(person))}
    raw = _raw(readings) if _tied(people, known) else {}
    wordings = load_wordings(row.asked for row in rows)
    reference = _reference(application, run.rated)
    found = calibrate_candidate(run.stored, ratings_of(rows, wordings), raw=raw, reference=reference, average=average)
    rated = Counter(row.aim for row in rows)
    return CalibrationIn(
        run=newest,
        dimensions=tuple(_dimension(aim, found[aim.value], n) for aim, n in rated.items() if aim.value in found),
        severities=tuple(
            SeverityIn(
                person=int(person),
                points=0.0 if person in average else round(points_stricter(run.stored, person, reference), PLACES),
                interviews=known[person].get("sessions", 0) if person in known else 0,
                assumed=person in average,
            )
            for person in sorted((name for name in people if not name.startswith(JUDGE)), key=int)
        ),
    )


def _is_linked(row: Mapping[str, int] | None) -> bool:
    """What a run of before does not tell of anybody's links is as if there were none."""
    if row is None:
        return False
    return row.get("linked", 0) >= LINKED_RATINGS and row.get("linked_candidates", 0) >= LINKED_CANDIDATES


def _tied(people: Collection[str], known: Mapping[str, Mapping[str, int]]) -> bool:
    """Whether one of them stands with most ratings of the house. Whoever the run has not met may yet be tied."""
    groups: dict[int, int] = defaultdict(int)
    for row in known.values():
        groups[row["group"]] += row["n"]
    most = max(groups, key=lambda group: (groups[group], -group), default=0)
    met = {known[person]["group"] for person in people if person in known}
    return not met or most in met


def _raw(readings: Collection[RaterReading]) -> dict[str, float]:
    """Raw values from the revisions that stand in the calibration, of dimensions of which enough people have a value.

    One rating of a dimension is no value (scoring.rules.values), here as on the card.
    """
    raw = {}
    for aim in Aim:
        values = [
            value for one in readings if one.independent and (value := one.independent.values[aim].value) is not None
        ]
        if len(values) >= FEWEST_RATERS:
            raw[aim.value] = float(sum(values) / len(values))
    return raw


def _dimension(aim: Aim, one: Calibrated, ratings: int) -> CalibratedIn:
    who = one.raw + one.severity
    return CalibratedIn(
        aim=aim,
        ratings=ratings,
        raw=round(one.raw, PLACES),
        who_allowed=round(who, PLACES),
        what_allowed=round(who + one.difficulty, PLACES),
        value=round(one.value, PLACES),
        low=round(one.low, PLACES),
        high=round(one.high, PLACES),
    )


def _reference(application: Application, rated: Mapping[str, int]) -> set[str]:
    """The set that all candidates of the position are placed on: the plan's scored probes as they are published now;
    without a plan whatever has 30 ratings."""
    plan = application.position.plan
    if plan is None:
        return {item for item, n in rated.items() if n >= LINKED_RATINGS}
    versions = published_trees().filter(tree__in=plan.entries.values("tree"))
    probes = Probe.objects.filter(version__in=versions, scoring=Scoring.SCORED)
    return {
        item_name(tree, key, content)
        for tree, key, content in probes.values_list("version__tree", "key", "content_hash")
    }
