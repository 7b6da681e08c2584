"""A sound tree: what it still lacks before it can be published, and what a curator would look at twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.lint.findings import About, Finding, Severity, in_order
from questionbank.lint.similar import near_duplicates
from questionbank.lint.structure import flaws
from questionbank.lint.texts import alike_anchors, left_open, spoken, two_questions, untranslated, untranslated_of
from questionbank.outline import RATINGS, OutlineProbe, OutlineTree, walk

FEWEST_LEVELS: Final = 2
"""A boundary is an edge between two levels: a tree of one has none to find."""


def lint(trees: Sequence[OutlineTree]) -> list[Finding]:
    """Return everything to say about these trees, tree by tree in order of their probes.

    Near-duplicates are found among these trees; those of a whole bank are found in the database. A finding about two
    probes stands at the later one.
    """
    alike: dict[str, list[Finding]] = {}
    for finding in near_duplicates(trees):
        alike.setdefault(finding.tree, []).append(finding)
    return [finding for tree in trees for finding in in_order([*lint_one(tree), *alike.pop(tree.key, ())])]


def lint_one(tree: OutlineTree) -> list[Finding]:
    """Return everything to say about one tree by itself, in the order of its probes."""
    wrong = flaws(tree)
    return in_order(wrong or [*gaps(tree), *looks(tree)])


# --- what publishing needs


def gaps(tree: OutlineTree) -> list[Finding]:
    """Return what a sound tree lacks before it can be published: raters would have nothing to hold on to."""
    about = About(tree, Severity.STOPS)
    found: list[Finding] = []
    for index, probe in enumerate(tree.probes):
        for place, text in (("title", probe.title), ("prompt", probe.prompt)):
            if not spoken(text):
                found.append(about.probe(index, "no_words", place))
        silent = [kind for kind in SignalKind if not probe.signals.get(kind)]
        if silent:
            found.append(about.probe(index, "no_signals", "signals", kinds=", ".join(silent)))
        for aim in probe.aims:
            missing = [str(rating) for rating in RATINGS if rating not in probe.anchors.get(aim, {})]
            if missing:
                values = {"aim": aim, "ratings": ", ".join(missing)}
                found.append(about.probe(index, "no_anchors", f"anchors.{aim}", **values))
    if tree.purpose is Purpose.BOUNDARY:
        asked = {aim for probe in tree.probes for aim in probe.aims if probe.scored}
        found += [about.whole("aim_not_asked", "probes", aim=aim) for aim in Aim if aim not in asked]
    return found


# --- what may be meant


def looks(tree: OutlineTree) -> list[Finding]:
    """Return what is probably a slip in a sound tree."""
    about = About(tree, Severity.LOOK)
    return in_order([*_levels(about), *_minutes(about), *_branches(about), *_texts(about)])


def _levels(about: About) -> Iterator[Finding]:
    """A level that nothing scored stands on is a hole in the ladder: no floor or ceiling can be found there."""
    if about.tree.purpose is not Purpose.BOUNDARY:
        return
    placed = list(walk(about.tree))
    deepest = max(one.level for one in placed)
    if deepest < FEWEST_LEVELS:
        yield about.whole("one_level", "probes")
        return
    scored = {one.level for one in placed if one.probe.scored}
    for level in range(1, deepest + 1):
        if level not in scored:
            yield about.whole("level_gap", "probes", level=level)


def _minutes(about: About) -> Iterator[Finding]:
    """The longest way down must fit. Rescues are left out: they are asked instead of going on."""
    places = {probe.key: index for index, probe in enumerate(about.tree.probes)}
    total: dict[str | None, int] = {None: 0}
    longest, minutes = "", 0
    for placed in walk(about.tree):
        probe = placed.probe
        total[probe.key] = total[probe.parent] + (0 if probe.kind is ProbeKind.RESCUE else probe.minutes)
        if total[probe.key] > minutes:
            longest, minutes = probe.key, total[probe.key]
    if minutes > about.tree.minutes:
        yield about.probe(places[longest], "minutes_over", "minutes", minutes=minutes, limit=about.tree.minutes)


def _branches(about: About) -> Iterator[Finding]:
    below: dict[str | None, list[OutlineProbe]] = {}
    for probe in about.tree.probes:
        below.setdefault(probe.parent, []).append(probe)
    for index, probe in enumerate(about.tree.probes):
        if probe.branch:
            yield from _branch(about, index, probe, set(probe.branch.outcomes))
        deeper = [one for one in below.get(probe.key, ()) if one.branch and not one.keeps_level]
        leads = [one.branch.outcomes for one in deeper if one.branch]
        if leads and not any(not outcomes or BranchOutcome.SUSTAINED in outcomes for outcomes in leads):
            yield about.probe(index, "sustained_ends", "key")


def _branch(about: About, index: int, probe: OutlineProbe, when: set[BranchOutcome]) -> Iterator[Finding]:
    if probe.kind is ProbeKind.RESCUE and when == {BranchOutcome.SUSTAINED}:
        yield about.probe(index, "rescue_after_sustained", "when")
    if not probe.keeps_level and when == {BranchOutcome.NOT_SUSTAINED}:
        yield about.probe(index, "deeper_after_miss", "when")


def _texts(about: About) -> Iterator[Finding]:
    tree = about.tree
    wanted = set(tree.languages) | spoken(tree.title)
    wanted.update(*(spoken(probe.prompt) for probe in tree.probes))
    for place, language in untranslated(tree, wanted):
        yield about.whole("no_translation", place, language=language, count=1)
    for index, probe in enumerate(tree.probes):
        for place, language, count in untranslated_of(probe, wanted):
            yield about.probe(index, "no_translation", place, language=language, count=count)
        for language, words in probe.prompt.items():
            if two_questions(words, language):
                yield about.probe(index, "two_questions", f"prompt.{language}", language=language)
        for place, word in left_open(probe):
            yield about.probe(index, "left_open", place, word=word)
        for aim, lower, higher in alike_anchors(probe):
            yield about.probe(index, "anchors_alike", f"anchors.{aim}", aim=aim, lower=lower, higher=higher)
