"""The vectors of the closing checklist as the rule's own values, for the tests of the rule and of its twin."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from interviews.enums import Aid, Aim, Ended, Outcome
from interviews.rules import Ending, TreeRule
from interviews.rules.closing import Checklist, Heard, Tree, checklist


def as_json(value: Checklist) -> Any:
    return json.loads(json.dumps(asdict(value)))


def read_closing(given: dict[str, Any]) -> Checklist:
    trees = [
        Tree(
            one["key"],
            TreeRule(**one["rule"]),
            one["ended"] and Ending(Ended(one["ended"]["reason"]), one["ended"]["asks"]),
        )
        for one in given["trees"]
    ]
    line = [(since, until) for since, until in given["line"]]
    return checklist([_heard(one) for one in given["asks"]], trees=trees, line=line, now=given["now"])


def _heard(row: dict[str, Any]) -> Heard:
    return Heard(
        **row
        | {
            "aims": tuple(Aim(aim) for aim in row["aims"]),
            "outcome": Outcome(row["outcome"]) if row["outcome"] else None,
            "aid": Aid(row["aid"]) if row["aid"] else None,
        }
    )
