"""What keeps probes from being one tree at all. A file with any of it is refused, and so is such an edit."""

from __future__ import annotations

from collections.abc import Mapping

from questionbank.enums import ProbeKind
from questionbank.lint.findings import About, Finding, Severity, in_order
from questionbank.outline import MOST_ANCESTORS, OutlineTree, walk


def flaws(tree: OutlineTree) -> list[Finding]:
    """Return all of it, in the order of the probes. Unreachable ones are those of a circle or under no known parent."""
    about = About(tree, Severity.STOPS)
    found: list[Finding] = []
    roots = [index for index, probe in enumerate(tree.probes) if probe.branch is None]
    if not roots:
        found.append(about.whole("no_root", "probes"))
    found += [about.probe(index, "second_root", "key", root=tree.probes[roots[0]].key) for index in roots[1:]]

    first: dict[str, int] = {}
    for index, probe in enumerate(tree.probes):
        if probe.key in first:
            found.append(about.probe(index, "key_twice", "key", key=probe.key))
        first.setdefault(probe.key, index)
        found += _own_flaws(about, index)
    return in_order([*found, *_unreachable(about, first)])


def _own_flaws(about: About, index: int) -> list[Finding]:
    probe = about.tree.probes[index]
    found: list[Finding] = []
    if probe.branch is None and probe.kind is ProbeKind.RESCUE:
        found.append(about.probe(index, "root_rescue", "kind"))
    if probe.same_level and (probe.kind is not ProbeKind.CHECK or probe.branch is None):
        found.append(about.probe(index, "same_level_of_what", "same_level"))
    found += [
        about.probe(index, "anchors_without_aim", f"anchors.{aim}", aim=aim)
        for aim in probe.anchors
        if aim not in probe.aims
    ]
    return found


def _unreachable(about: About, first: Mapping[str, int]) -> list[Finding]:
    found: list[Finding] = []
    depths = {placed.probe.key: placed.depth for placed in walk(about.tree)}
    for index, probe in enumerate(about.tree.probes):
        if probe.branch and probe.branch.parent not in first:
            found.append(about.probe(index, "unknown_parent", "after", parent=probe.branch.parent))
        elif depths.get(probe.key) == MOST_ANCESTORS + 1:
            found.append(about.probe(index, "too_far_down", "after", limit=MOST_ANCESTORS))
        elif probe.key not in depths and (ring := _circle(about.tree, probe.key, first)):
            found.append(about.probe(index, "circle", "after", ring=" > ".join(ring)))
    return found


def _circle(tree: OutlineTree, key: str, first: Mapping[str, int]) -> list[str]:
    """Return the circle that a probe is its own ancestor in, or nothing. Those that merely hang on it are not named."""
    line = [key]
    seen = {key}
    while (parent := tree.probes[first[line[-1]]].parent) in first:
        line.append(str(parent))
        if parent == key:
            return line
        if parent in seen:
            break
        seen.add(str(parent))
    return []
