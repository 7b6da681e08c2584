"""A script's YAML -> Script. Everything that is wrong is said at once, with file, line and key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from interviews.enums import Aim, Ended, SealingPolicy
from questionbank.exchange.fields import join
from questionbank.exchange.nodes import BadFile, Mapping, Node, Scalar, compose, decode
from questionbank.exchange.problems import Problem
from scoring.enums import NoValue, Recommendation
from scoring.simulation.acts import read_acts
from scoring.simulation.fields import ScriptFields, ours
from scoring.simulation.script import (
    CANDIDATE,
    Card,
    Expect,
    ExpectedBoundary,
    ExpectedDimension,
    Making,
    Script,
    Step,
)

LIMIT: Final = 256 * 1024
MOST_STEPS: Final = 2000
NONE: Final = "none"

_TOP = ("format", "simulation", "people", "manager", "interview", "pace", "steps", "cards", "expect")
_MAKING = (
    "position", "plan", "sealing", "candidate", "language", "claims", "minutes", "zone",
    "lead", "interviewers", "shadows", "observers", "trees",
)  # fmt: skip
_EXPECT = ("accepted", "refused", "shared", "raters", "dimensions", "trees", "disagreements", "breadth")
_DIMENSION = ("value", "missing", "lowest", "highest", "raters", "provisional", "of")
_BOUNDARY = ("floor", "ceiling", "ended", "at_least", "ratable")
RESERVED: Final = frozenset({"at", "all"})


class BadScript(Exception):
    """A script can't be used; `problems` say where and why, in the order of lines."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def load(path: str | Path) -> Script:
    """Read a script's file. Raises BadScript."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadScript([Problem(str(path), 0, "", "unreadable", {"reason": error.strerror or str(error)})]) from None
    return read(data, file=str(path))


def read(data: bytes, *, file: str) -> Script:
    """Read a script from its bytes; `file` is what problems call it. Raises BadScript."""
    try:
        top, repeated = compose(decode(data, file=file, limit=LIMIT), file=file)
    except BadFile as error:
        raise BadScript([ours(error.problem)]) from None
    reader = _Reader(file)
    reader.found += repeated
    script = reader.script(top)
    if reader.found:
        raise BadScript(sorted(reader.found, key=lambda problem: problem.line))
    return script


class _Reader(ScriptFields):
    def script(self, top: Mapping) -> Script:
        self.mapping(top, "", known=_TOP, needed=("format", "simulation", "people", "steps"))
        items = top.items
        form = self.words(items.get("format"), "format", limit=40)
        if form not in {None, "1"}:
            self.problem(items["format"].line, "format", "unknown_format", value=str(form))
        self.people = self._people(items.get("people"))
        pace = self.number(items.get("pace"), "pace")
        script = Script(
            file=self.file,
            key=self.key(items.get("simulation"), "simulation") or "",
            people=self.people,
            manager=self.email(items.get("manager"), "manager"),
            making=self._making(items.get("interview")),
            steps=self._steps(items.get("steps")),
            cards=self._cards(items.get("cards")),
            expect=self._expect(items.get("expect")),
            pace=1.0 if pace is None else float(pace),
        )
        if script.manager is None and "manager" not in items and (script.making or script.expect.of_panel):
            self.problem(top.line, "manager", "no_manager")
        if script.expect.of_panel and "cards" not in items:
            self.problem(items["expect"].line, "cards", "nobody_submits")
        return script

    def _people(self, node: Node | None) -> dict[str, str]:
        found: dict[str, str] = {}
        mapping = self._named(node, "people")
        if mapping is None:
            return found
        for name, item in mapping.items.items():
            place, line = join("people", name), mapping.lines[name]
            if name in RESERVED or name == CANDIDATE:
                self.problem(line, place, "reserved", value=name)
            elif self.name(line, place, name) and (email := self.email(item, place)):
                if email in found.values():
                    other = next(known for known, address in found.items() if address == email)
                    self.problem(line, place, "email_twice", other=other)
                else:
                    found[name] = email
        if not mapping.items:
            self.problem(mapping.line, "people", "empty")
        return found

    def _named(self, node: Node | None, place: str) -> Mapping | None:
        """A mapping whose names are not known beforehand."""
        if node is not None and not isinstance(node, Mapping):
            self.problem(node.line, place, "not_mapping")
            return None
        return node

    # --- the interview to make

    def _making(self, node: Node | None) -> Making | None:
        needed = ("position", "candidate", "lead", "trees")
        mapping = self.mapping(node, "interview", known=_MAKING, needed=needed)
        if mapping is None:
            return None
        get = mapping.items.get
        making = Making(
            position=self.words(get("position"), "interview.position", limit=160) or "",
            plan=self.words(get("plan"), "interview.plan", limit=120),
            sealing=self.choice(get("sealing"), "interview.sealing", SealingPolicy) or SealingPolicy.AFTER_OWN,
            candidate=self.words(get("candidate"), "interview.candidate", limit=160) or "",
            language=self.words(get("language"), "interview.language", limit=16) or "en",
            claims=self.texts(get("claims"), "interview.claims"),
            minutes=self.integer(get("minutes"), "interview.minutes", 5, 480) or 60,
            zone=self.words(get("zone"), "interview.zone", limit=64) or "UTC",
            lead=self.person(get("lead"), "interview.lead") or "",
            interviewers=self.persons(get("interviewers"), "interview.interviewers"),
            shadows=self.persons(get("shadows"), "interview.shadows"),
            observers=self.persons(get("observers"), "interview.observers"),
            trees=self.keys(get("trees"), "interview.trees"),
            line=mapping.line,
        )
        seated = [making.lead, *making.interviewers, *making.shadows, *making.observers]
        for name in sorted({name for name in seated if name and seated.count(name) > 1}):
            self.problem(mapping.line, "interview", "twice_seated", value=name)
        return making

    # --- what happens

    def _steps(self, node: Node | None) -> tuple[Step, ...]:
        found: list[Step] = []
        before = 0.0
        for number, item in enumerate(self.listing(node, "steps", limit=MOST_STEPS), 1):
            step = self._step(item, f"steps.{number}")
            if step is None:
                continue
            if step.at is not None and step.at < before:
                self.problem(step.line, f"steps.{number}.at", "time_goes_back", at=f"{step.at:g}", before=f"{before:g}")
            before = step.at if step.at is not None else before
            found.append(step)
        if node is not None and not found and not self.found:
            self.problem(node.line, "steps", "no_steps")
        return tuple(found)

    def _step(self, node: Node, place: str) -> Step | None:
        mapping = self._named(node, place)
        if mapping is None:
            return None
        acts = {}
        for who, item in mapping.items.items():
            inner = join(place, who)
            if who != "at" and (who == CANDIDATE or self.known(mapping.lines[who], inner, who)):
                acts[who] = read_acts(self, who, item, inner)
        at = self.seconds(mapping.items.get("at"), join(place, "at"))
        if not set(mapping.items) - {"at"}:
            self.problem(mapping.line, place, "nobody_acts")
        return Step(at, acts, mapping.line)

    def _cards(self, node: Node | None) -> dict[str, Card]:
        mapping = self._named(node, "cards")
        cards: dict[str, Card] = {}
        for who, item in mapping.items.items() if mapping else ():
            place = join("cards", who)
            if not self.known(mapping.lines[who] if mapping else 0, place, who):
                continue
            if isinstance(item, Scalar):
                recommendation = self.choice(item, place, Recommendation)
                cards[who] = Card(recommendation or Recommendation.NO_DECISION)
                continue
            known = ("recommendation", "summary", "reason")
            card = self.mapping(item, place, known=known, needed=("recommendation",))
            if card is not None:
                said = self.choice(card.items.get("recommendation"), join(place, "recommendation"), Recommendation)
                cards[who] = Card(
                    said or Recommendation.NO_DECISION,
                    summary=self.words(card.items.get("summary"), join(place, "summary"), limit=20_000) or "",
                    reason=self.words(card.items.get("reason"), join(place, "reason"), limit=20_000) or "",
                )
        return cards

    # --- what must hold

    def _expect(self, node: Node | None) -> Expect:
        mapping = self.mapping(node, "expect", known=_EXPECT)
        if mapping is None:
            return Expect()
        get = mapping.items.get
        expect = Expect(
            accepted=self._counts(get("accepted"), "expect.accepted"),
            refused=self._refusals(get("refused"), "expect.refused"),
            raters=self.integer(get("raters"), "expect.raters", 0, 99),
            dimensions=self._dimensions(get("dimensions")),
            trees=self._trees(get("trees")),
            breadth=self.integer(get("breadth"), "expect.breadth", 0, 999),
        )
        if shared := get("shared"):
            found = [self.probe(item, "expect.shared") for item in self.listing(shared, "expect.shared", limit=500)]
            expect = replace(expect, shared=tuple(probe for probe in found if probe))
        if differ := get("disagreements"):
            found = [self._word(item, "expect.disagreements") for item in self.listing(differ, "", limit=99)]
            expect = replace(expect, disagreements=tuple(word for word in found if word))
        return expect

    def _word(self, node: Node, place: str) -> str | None:
        """A dimension (hands_on has a low line, no key has) or the key of a tree."""
        value = self.words(node, place, limit=80)
        return value if value in set(Aim) else self.key(node, place)

    def _counts(self, node: Node | None, place: str) -> dict[str, int]:
        mapping = self._named(node, place)
        counts: dict[str, int] = {}
        for who, item in mapping.items.items() if mapping else ():
            count = self.integer(item, join(place, who), 0, 999_999)
            if count is not None and self._anyone(mapping, place, who):
                counts[who] = count
        return counts

    def _anyone(self, mapping: Mapping | None, place: str, who: str) -> bool:
        return who == CANDIDATE or self.known(mapping.lines[who] if mapping else 0, join(place, who), who)

    def _refusals(self, node: Node | None, place: str) -> dict[str, tuple[str, ...]]:
        mapping = self._named(node, place)
        found: dict[str, tuple[str, ...]] = {}
        for who, item in mapping.items.items() if mapping else ():
            codes = [
                self.words(one, join(place, who), limit=40) for one in self.listing(item, join(place, who), limit=99)
            ]
            if self._anyone(mapping, place, who):
                found[who] = tuple(code for code in codes if code)
        return found

    def _dimensions(self, node: Node | None) -> dict[Aim, ExpectedDimension]:
        mapping = self.mapping(node, "expect.dimensions", known=list(Aim))
        found = {}
        for name, item in mapping.items.items() if mapping else ():
            if name in set(Aim):
                found[Aim(name)] = self._dimension(item, f"expect.dimensions.{name}")
        return found

    def _dimension(self, node: Node, place: str) -> ExpectedDimension:
        mapping = self.mapping(node, place, known=_DIMENSION)
        if mapping is None:
            return ExpectedDimension()
        get = mapping.items.get
        of = self._named(get("of"), join(place, "of"))
        each = {
            who: self._value(item, f"{place}.of.{who}")
            for who, item in (of.items.items() if of else ())
            if self._anyone(of, join(place, "of"), who)
        }
        return ExpectedDimension(
            value=self.number(get("value"), join(place, "value")),
            missing=self.choice(get("missing"), join(place, "missing"), NoValue),
            lowest=self.number(get("lowest"), join(place, "lowest")),
            highest=self.number(get("highest"), join(place, "highest")),
            raters=self.integer(get("raters"), join(place, "raters"), 0, 99),
            provisional=self.boolean(get("provisional"), join(place, "provisional")),
            of={who: value for who, value in each.items() if value is not None},
        )

    def _value(self, node: Node, place: str) -> Decimal | NoValue | None:
        value = self.words(node, place, limit=40)
        if value in set(NoValue):
            return NoValue(value)
        if value is not None and not value[:1].isdigit():
            self.problem(node.line, place, "no_value_code", value=value, known=", ".join(NoValue))
            return None
        return self.number(node, place)

    def _trees(self, node: Node | None) -> dict[str, dict[str, ExpectedBoundary]]:
        mapping = self._named(node, "expect.trees")
        found: dict[str, dict[str, ExpectedBoundary]] = {}
        for tree, item in mapping.items.items() if mapping else ():
            place = f"expect.trees.{tree}"
            people = self._named(item, place)
            found[tree] = {
                who: self._boundary(one, join(place, who))
                for who, one in (people.items.items() if people else ())
                if self._anyone(people, place, who)
            }
        return found

    def _boundary(self, node: Node, place: str) -> ExpectedBoundary:
        mapping = self.mapping(node, place, known=_BOUNDARY)
        if mapping is None:
            return ExpectedBoundary()
        get = mapping.items.get
        ceiling = get("ceiling")
        unlimited = isinstance(ceiling, Scalar) and ceiling.value == NONE
        return ExpectedBoundary(
            floor=self.integer(get("floor"), join(place, "floor"), 0, 99),
            ceiling=0 if unlimited else self.integer(ceiling, join(place, "ceiling"), 1, 99),
            ended=self.choice(get("ended"), join(place, "ended"), Ended),
            at_least=self.boolean(get("at_least"), join(place, "at_least")),
            ratable=self.boolean(get("ratable"), join(place, "ratable")),
        )
