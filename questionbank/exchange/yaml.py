"""Our own format: one YAML file per tree -> outline (docs/tree-format.md). Everything that is wrong is said at once."""

from __future__ import annotations

from dataclasses import replace

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, Scoring, SignalKind
from questionbank.exchange.fields import Fields, join
from questionbank.exchange.nodes import MAX_BYTES, BadFile, Listing, Mapping, Node, Scalar, compose, decode
from questionbank.exchange.problems import Problem, capped
from questionbank.exchange.readings import Reading
from questionbank.limits import MOST_PROBES, MOST_SIGNALS, NO_PLAN_KEYS, PART, PROMPT, TITLE
from questionbank.lint import Finding, flaws
from questionbank.outline import (
    MOST_PLAN_TREES,
    RATINGS,
    OutlineBranch,
    OutlinePlan,
    OutlinePlanTree,
    OutlineProbe,
    OutlineTopic,
    OutlineTree,
    Text,
    levels,
)

_TREE = ("format", "tree", "topic", "title", "languages", "purpose", "minutes", "discontinue", "probes")
_TREE_NEEDS = ("format", "topic", "title", "probes")
_PROBE = (
    "key", "level", "after", "when", "heard", "kind", "same_level", "aims", "minutes", "scoring",
    "title", "prompt", "signals", "anchors",
)  # fmt: skip
_PROBE_NEEDS = ("key", "kind", "aims", "title", "prompt")
_PLAN = ("format", "plan", "name", "required_aims", "trees")
_PLAN_TREE = ("tree", "minutes", "required")


def read(data: bytes, *, file: str, limit: int = MAX_BYTES) -> Reading:
    """Read one file. Never raises on what is in it: a reading with problems has neither tree nor plan."""
    try:
        return parse(decode(data, file=file, limit=limit), file=file)[0]
    except BadFile as error:
        return Reading(file, problems=(error.problem,))


def parse(source: str, *, file: str) -> tuple[Reading, Mapping]:
    """Read the text of a file; return its nodes, too. Raises BadFile where there are none."""
    top, repeated = compose(source, file=file)
    reader: _TreeReader | _PlanReader
    if "tree" in top.items:
        reader = _TreeReader(file)
    elif "plan" in top.items:
        reader = _PlanReader(file)
    else:
        return Reading(file, source, problems=(*repeated, Problem(file, top.line, "", "unknown_file"))), top
    reader.found += repeated
    reading = reader.read(top)
    if reader.found:
        return Reading(file, source, problems=capped(reader.found)), top
    return replace(reading, source=source), top


class _TreeReader(Fields):
    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.tags: tuple[str, ...] = ()

    def read(self, top: Mapping) -> Reading:
        self.mapping(top, "", known=_TREE, needed=_TREE_NEEDS)
        items = top.items
        _format(self, items.get("format"))
        self.tags = self.languages(items.get("languages"), "languages")
        misses, second_try = self._discontinue(items.get("discontinue"))
        head = OutlineTree(
            key=self.key(items.get("tree"), "tree") or "",
            title=self.text(items.get("title"), "title", self.tags, limit=TITLE, needed=True),
            topic=self._topic(items.get("topic")),
            languages=self.tags,
            minutes=self.integer(items.get("minutes"), "minutes", 1, 240) or 10,
            purpose=self.choice(items.get("purpose"), "purpose", Purpose) or Purpose.BOUNDARY,
            misses=misses,
            second_try=second_try,
            probes=(),
        )
        nodes: list[Mapping] = []
        probes: list[OutlineProbe] = []
        for number, node in enumerate(self.listing(items.get("probes"), "probes", limit=MOST_PROBES), 1):
            mapping = self.mapping(node, place_of(node, number), known=_PROBE, needed=_PROBE_NEEDS)
            if mapping:
                nodes.append(mapping)
                probes.append(self._probe(mapping, place_of(node, number)))
        tree = replace(head, probes=tuple(probes))
        listed = items.get("probes")
        if isinstance(listed, Listing) and len(listed.items) <= MOST_PROBES:
            self._whole(tree, nodes, listed.line)
        return Reading(self.file, trees=(tree,), lines={tree.key: _lines(top, nodes, probes)})

    def _not_empty(self, node: Node | None, place: str) -> None:
        if isinstance(node, Listing) and not node.items:
            self.problem(node.line, place, "empty")

    def _topic(self, node: Node | None) -> OutlineTopic:
        topic = self.mapping(node, "topic", known=("key", "title"), needed=("key", "title"))
        if topic is None:
            return OutlineTopic("", {})
        return OutlineTopic(
            self.key(topic.items.get("key"), "topic.key") or "",
            self.text(topic.items.get("title"), "topic.title", self.tags, limit=TITLE, needed=True),
        )

    def _discontinue(self, node: Node | None) -> tuple[int, bool]:
        rule = self.mapping(node, "discontinue", known=("misses", "second_try"))
        if rule is None:
            return 2, True
        misses = self.integer(rule.items.get("misses"), "discontinue.misses", 1, 9)
        second_try = self.boolean(rule.items.get("second_try"), "discontinue.second_try")
        return misses or 2, second_try is not False

    def _probe(self, node: Mapping, place: str) -> OutlineProbe:
        items = node.items
        aims = self.choices(items.get("aims"), join(place, "aims"), Aim)
        self._not_empty(items.get("aims"), join(place, "aims"))
        key = self.key(items.get("key"), join(place, "key"))
        return OutlineProbe(
            # A key that was refused still links its follow-ups, so that one slip is one problem.
            key=key or _raw(items.get("key")) or place,
            title=self.text(items.get("title"), join(place, "title"), self.tags, limit=TITLE, needed=True),
            prompt=self.text(items.get("prompt"), join(place, "prompt"), self.tags, limit=PROMPT, needed=True),
            kind=self.choice(items.get("kind"), join(place, "kind"), ProbeKind) or ProbeKind.PROBE,
            aims=aims,
            minutes=self.integer(items.get("minutes"), join(place, "minutes"), 1, 60) or 3,
            branch=self._branch(node, place),
            same_level=self.boolean(items.get("same_level"), join(place, "same_level")) or False,
            scored=self.choice(items.get("scoring"), join(place, "scoring"), Scoring) is not Scoring.TRIAL,
            signals=self._signals(items.get("signals"), join(place, "signals")),
            anchors=self._anchors(items.get("anchors"), join(place, "anchors")),
        )

    def _branch(self, node: Mapping, place: str) -> OutlineBranch | None:
        items = node.items
        outcomes = self.choices(items.get("when"), join(place, "when"), BranchOutcome)
        heard = self.text(items.get("heard"), join(place, "heard"), self.tags, limit=PART)
        if "after" in items:
            return OutlineBranch(_raw(items["after"]) or "", outcomes, heard)
        for name in ("when", "heard"):
            if name in items:
                self.problem(node.lines[name], join(place, name), "branch_without_parent", key=name)
        return None

    def _signals(self, node: Node | None, place: str) -> dict[SignalKind, tuple[Text, ...]]:
        mapping = self.mapping(node, place, known=tuple(SignalKind))
        signals: dict[SignalKind, tuple[Text, ...]] = {}
        for kind in SignalKind:
            inner = join(place, kind)
            items = self.listing(mapping.items.get(kind) if mapping else None, inner, limit=MOST_SIGNALS)
            if items:
                texts = (self.text(item, f"{inner}[{n}]", self.tags, limit=PART) for n, item in enumerate(items, 1))
                signals[kind] = tuple(texts)
        return signals

    def _anchors(self, node: Node | None, place: str) -> dict[Aim, dict[int, Text]]:
        mapping = self.mapping(node, place, known=tuple(Aim))
        anchors: dict[Aim, dict[int, Text]] = {}
        for aim in Aim:
            inner = join(place, aim)
            scale = mapping.items.get(aim) if mapping else None
            ratings = self.mapping(scale, inner, known=tuple(str(rating) for rating in RATINGS))
            if ratings:
                anchors[aim] = {
                    rating: self.text(ratings.items[str(rating)], f"{inner}.{rating}", self.tags, limit=PART)
                    for rating in RATINGS
                    if str(rating) in ratings.items
                }
        return anchors

    def _whole(self, tree: OutlineTree, nodes: list[Mapping], line: int) -> None:
        """Check what the probes are together: one tree, and each at the level it says."""
        refused = {problem.place for problem in self.found}
        self.found += [
            problem
            for problem in self._said(flaws(tree), nodes, line)
            # An aim that was refused left its anchors without one: that is no second slip.
            if problem.code != "anchors_without_aim" or f"{problem.place.split('.')[0]}.aims" not in refused
        ]
        decides = (".key", ".kind", ".after", ".same_level")
        if any(problem.place.endswith(decides) for problem in self.found):
            return  # levels follow from these: one slip there would be told for every probe below it
        computed = levels(tree)
        for node, probe in zip(nodes, tree.probes, strict=True):
            stated = self.integer(node.items.get("level"), f"{probe.key}.level", 1, MOST_PROBES)
            if stated is not None and probe.key in computed and stated != computed[probe.key]:
                at = node.items["level"].line
                self.problem(at, f"{probe.key}.level", "bad_level", stated=stated, level=computed[probe.key])

    def _said(self, found: list[Finding], nodes: list[Mapping], line: int) -> list[Problem]:
        problems: list[Problem] = []
        for finding in found:
            node = nodes[finding.index] if finding.index is not None else None
            at = node.lines.get(finding.place.split(".", 1)[0], node.line) if node else line
            problems.append(Problem.of(finding).at(self.file, at))
        return problems


def _lines(top: Mapping, nodes: list[Mapping], probes: list[OutlineProbe]) -> dict[str, int]:
    lines = {**top.lines, "": top.lines["tree"]}
    for node, probe in zip(nodes, probes, strict=True):
        lines[probe.key] = node.lines.get("key", node.line)
        lines.update({join(probe.key, name): line for name, line in node.lines.items()})
    return lines


class _PlanReader(Fields):
    def read(self, top: Mapping) -> Reading:
        items = top.items
        self.mapping(top, "", known=_PLAN, needed=("format", "name", "trees"))
        _format(self, items.get("format"))
        trees: list[OutlinePlanTree] = []
        lines = {"": top.lines["plan"]}
        for number, node in enumerate(self.listing(items.get("trees"), "trees", limit=MOST_PLAN_TREES), 1):
            place = f"trees[{number}]"
            entry = self.mapping(node, place, known=_PLAN_TREE, needed=("tree", "minutes"))
            key = self.key(entry.items.get("tree"), join(place, "tree")) if entry else None
            if entry is None or key is None:
                continue
            if key in lines:
                self.problem(entry.lines["tree"], join(place, "tree"), "value_repeated", value=key)
            lines[key] = entry.lines["tree"]
            minutes = self.integer(entry.items.get("minutes"), join(place, "minutes"), 1, 240)
            required = self.boolean(entry.items.get("required"), join(place, "required"))
            trees.append(OutlinePlanTree(key, minutes or 10, required is not False))
        own_key = self.key(items.get("plan"), "plan") or ""
        if own_key in NO_PLAN_KEYS:
            self.problem(top.lines["plan"], "plan", "key_reserved", value=own_key)
        plan = OutlinePlan(
            key=own_key,
            name=self.words(items.get("name"), "name", limit=TITLE) or "",
            required_aims=self.choices(items.get("required_aims"), "required_aims", Aim),
            trees=tuple(trees),
        )
        return Reading(self.file, plan=plan, lines={plan.key: lines})


def _format(fields: Fields, node: Node | None) -> None:
    value = fields.words(node, "format", limit=1000)
    if node is not None and value not in (None, "1"):
        fields.problem(node.line, "format", "unknown_format", value=str(value)[:40])


def _raw(node: Node | None) -> str:
    return node.value.strip()[:200] if isinstance(node, Scalar) else ""


def place_of(node: Node, number: int) -> str:
    """Name a probe by its key, as people do; by its number in the list where it has none."""
    key = _raw(node.items.get("key")) if isinstance(node, Mapping) else ""
    return key[:80] or f"probes[{number}]"
