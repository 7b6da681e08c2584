"""The calibration in use for its own page: the run, whom the reader may see named, and what probes are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from people.fields import words_in
from people.models import Person
from questionbank.models import Probe
from scoring.models import CalibrationRun
from scoring.queries.interviewer_figures import interviewers_for
from scoring.queries.runs import newest_run
from scoring.queries.titles import Words

ENDS = 3
"""So many of the hardest and of the easiest probes are named."""


@dataclass(frozen=True, slots=True)
class Overview:
    """`people`: by id as the run has it, those alone whose figures the reader may look at. `hardest`, `easiest`: items
    of the run, the most extreme first. `titles`: by item's id; own questions of a lead have none."""

    run: CalibrationRun
    people: Mapping[str, Person]
    hardest: tuple[Mapping[str, Any], ...]
    easiest: tuple[Mapping[str, Any], ...]
    titles: Mapping[str, Words]


def load_overview(viewer: Person) -> Overview | None:
    """Read the newest run, in three queries; None before there is one."""
    run = newest_run()
    if run is None:
        return None
    rated = {row["id"] for row in run.content["interviewers"]}
    people = {str(person.pk): person for person in interviewers_for(viewer) if str(person.pk) in rated}
    bank = [item for item in run.content["items"] if not item["id"].endswith("/")]
    by_difficulty = sorted(bank, key=lambda item: (-item["estimate"], item["id"], item["dimension"]))
    hardest, easiest = by_difficulty[:ENDS], by_difficulty[::-1][:ENDS]
    return Overview(run, people, tuple(hardest), tuple(easiest), _titles({item["id"] for item in hardest + easiest}))


def _titles(items: set[str]) -> dict[str, Words]:
    """What items are called, as they were worded."""
    if not items:
        return {}
    wanted = reduce(or_, (_wanted(*item.split("/")) for item in sorted(items)))
    rows = Probe.objects.filter(wanted).order_by("version__number")
    return {
        f"{tree}/{key}/{content}": words_in(title)
        for tree, key, content, title in rows.values_list("version__tree", "key", "content_hash", "title")
    }


def _wanted(tree: str, key: str, content: str) -> Q:
    return Q(version__tree=int(tree), key=key, content_hash=content)
