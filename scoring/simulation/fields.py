"""Reading values of a script out of YAML nodes. What is wrong is written down with file, line and key, all at once."""

from __future__ import annotations

import re
from collections.abc import Mapping as AnyMapping
from decimal import Decimal
from typing import Any, Final

from questionbank.exchange.fields import Fields
from questionbank.exchange.nodes import Listing, Mapping, Node, Scalar
from questionbank.exchange.problems import Problem

GUIDE: Final = "see docs/simulation.md"
_TIME = re.compile(r"(?:(?P<minutes>[0-9]{1,4}):(?=[0-5][0-9](?:\.|$)))?(?P<seconds>[0-9]{1,6}(?:\.[0-9]{1,3})?)")
_NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?")
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
_PROBE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")

WORDS: Final[dict[str, tuple[str, str]]] = {
    "missing": ("`%(key)s` is missing.", f"Add it; {GUIDE}."),
    "empty_file": ("The file is empty.", f"For an example {GUIDE}."),
    "second_document": ("A second document begins here.", "Keep one script in a file and remove the line `---`."),
    "too_large": ("The file has %(size)d bytes; %(limit)d are allowed.", "Keep one interview in a file."),
    "too_deep": ("More than %(limit)d levels of nesting.", f"No part of a script needs them; {GUIDE}."),
    "bad_name": ("`%(value)s` can't name somebody.", "Use a small letter, then letters, digits, - or _ (at most 40)."),
    "reserved": ("`%(value)s` is the name of a part of the script.", "Choose another name for this person."),
    "bad_email": ("`%(value)s` is no e-mail address.", "Write the address with which this person signs in."),
    "email_twice": ("%(other)s signs in with this address already.", "Give each person an account of their own."),
    "unknown_person": ("Nobody in `people` is called `%(value)s`.", "Known are: %(known)s."),
    "bad_probe": ("`%(value)s` is no question.", "Write tree/probe, as in data-parallel-training/dp-step."),
    "bad_time": ("`%(value)s` is no time.", "Write minutes:seconds, as in 12:30, or seconds."),
    "time_goes_back": ("%(at)s s is earlier than the step before, at %(before)s s.", "Put steps in order of time."),
    "not_number": ("`%(value)s` is no number from 0.", "Write digits, with a point if need be."),
    "nobody_acts": ("Nobody does anything in this step.", "Name who acts: `- lead: start`."),
    "unknown_act": ("Nobody can `%(value)s` here.", "Known acts are: %(known)s."),
    "no_fields": ("`%(value)s` stands alone.", "Write it without anything behind it."),
    "needs_fields": ("`%(value)s` says too little.", f"Say of what, or how; {GUIDE}."),
    "one_act": (
        "One act is expected here.",
        "Begin each of several acts with a dash; between braces, put a text with a comma in quotes.",
    ),
    "not_candidate": ("The candidate can't `%(value)s`.", "The candidate can: %(known)s."),
    "only_candidate": ("Only the candidate can `%(value)s`.", "Write it under `candidate`."),
    "no_steps": ("Nothing happens in this script.", f"Add steps; {GUIDE}."),
    "either": ("`%(one)s` and `%(other)s` exclude each other.", "Keep one of the two."),
    "twice_seated": ("`%(value)s` has a seat here already.", "A person has one seat."),
    "no_value_code": ("`%(value)s` is neither a number nor a reason.", "Write a number, or: %(known)s."),
    "no_manager": ("Nobody makes the interview and reads the panel card.", "Add `manager:` with an e-mail address."),
    "nobody_submits": ("A panel card is expected, but nobody hands in a card.", "Add `cards:`."),
}


class ScriptProblem(Problem):
    """A problem of a script: our words where we have some, else those that all our YAML files share."""

    @property
    def message(self) -> str:
        return WORDS[self.code][0] % self.values if self.code in WORDS else super().message

    @property
    def remedy(self) -> str:
        return WORDS[self.code][1] % self.values if self.code in WORDS else super().remedy


def ours(problem: Problem) -> ScriptProblem:
    return ScriptProblem(problem.file, problem.line, problem.place, problem.code, problem.values)


class ScriptFields(Fields):
    """Readers as in the bank's files, and those that only scripts need."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.people: AnyMapping[str, str] = {}

    def problem(self, line: int, place: str, code: str, **values: str | int) -> None:
        self.found.append(ScriptProblem(self.file, line, place, code, values))

    def line_of_text(self, node: Node | None, place: str, limit: int = 2000) -> str | None:
        return self.words(node, place, limit=limit)

    def matched(self, node: Node | None, place: str, pattern: re.Pattern[str], code: str) -> str | None:
        value = self.words(node, place, limit=1000)
        if node is not None and value is not None and not pattern.fullmatch(value):
            self.problem(node.line, place, code, value=value[:60])
            return None
        return value

    def probe(self, node: Node | None, place: str) -> str | None:
        return self.matched(node, place, _PROBE, "bad_probe")

    def email(self, node: Node | None, place: str) -> str | None:
        value = self.matched(node, place, _EMAIL, "bad_email")
        return value.lower() if value else None

    def name(self, line: int, place: str, value: str) -> bool:
        if not _NAME.fullmatch(value):
            self.problem(line, place, "bad_name", value=value[:60])
            return False
        return True

    def person(self, node: Node | None, place: str) -> str | None:
        value = self.words(node, place, limit=1000)
        return value if node is not None and value is not None and self.known(node.line, place, value) else None

    def known(self, line: int, place: str, value: str) -> bool:
        if value in self.people:
            return True
        self.problem(line, place, "unknown_person", value=value[:60], known=", ".join(self.people) or "-")
        return False

    def persons(self, node: Node | None, place: str) -> tuple[str, ...]:
        found = [self.person(item, place) for item in self.listing(node, place, limit=40)]
        return tuple(name for name in found if name is not None)

    def keys(self, node: Node | None, place: str) -> tuple[str, ...]:
        found = [self.key(item, place) for item in self.listing(node, place, limit=40)]
        return tuple(key for key in found if key is not None)

    def texts(self, node: Node | None, place: str) -> tuple[str, ...]:
        found = [self.words(item, place, limit=500) for item in self.listing(node, place, limit=40)]
        return tuple(text for text in found if text is not None)

    def seconds(self, node: Node | None, place: str) -> float | None:
        value = self.words(node, place, limit=1000)
        if value is None or node is None:
            return None
        match = _TIME.fullmatch(value)
        if match is None:
            self.problem(node.line, place, "bad_time", value=value[:60])
            return None
        return int(match["minutes"] or 0) * 60 + float(match["seconds"])

    def number(self, node: Node | None, place: str) -> Decimal | None:
        value = self.matched(node, place, _NUMBER, "not_number")
        return Decimal(value) if value is not None else None

    def plain(self, node: Node) -> Any:
        """Return the node as JSON would have it: for commands that are sent as they stand, right or wrong."""
        if isinstance(node, Mapping):
            return {name: self.plain(item) for name, item in node.items.items()}
        if isinstance(node, Listing):
            return [self.plain(item) for item in node.items]
        return _value(node)


def _value(node: Scalar) -> Any:
    if not node.plain:
        return node.value
    words = {"true": True, "false": False, "null": None, "~": None, "": None}
    if node.value in words:
        return words[node.value]
    if _PLAIN_NUMBER.fullmatch(node.value):
        return float(node.value) if "." in node.value else int(node.value)
    return node.value
