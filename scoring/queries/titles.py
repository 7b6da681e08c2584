"""What trees and probes are called, and the words behind ids, for pages that may show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from people.fields import words_in
from questionbank.models import Tree, TreeVersion
from scoring.queries.revisions import AskedProbe
from scoring.queries.trees import pinned_versions, probes_of

Words = tuple[str, str]
"""Text and the language it is in."""


@dataclass(frozen=True, slots=True)
class Titles:
    """`trees` and `keys`: by tree. `probes`: by (tree, probe), own questions by their id in words of their text."""

    trees: Mapping[int, Words]
    keys: Mapping[int, str]
    probes: Mapping[tuple[int, str], Words]

    def probe(self, tree: int, name: str) -> Words:
        return self.probes.get((tree, name), (name, "en"))


def load_titles(interviews: Iterable[int], *, asked: Mapping[str, AskedProbe], trees: Iterable[int]) -> Titles:
    """Name the trees and probes of the interviews, and the trees of the plan that were not pinned."""
    versions = pinned_versions(interviews)
    names = {tree: words_in(version.title) for tree, version in versions.items()}
    probes = {
        (tree, row.key): words_in(row.title) for tree, rows in probes_of(versions.values()).items() for row in rows
    }
    for found in asked.values():
        # An older version's probe may be gone from the newest one; it keeps the name it was asked by.
        probes.setdefault((found.tree, found.probe), _asked_words(found))
    keys = {tree: version.tree.key for tree, version in versions.items()}
    if missing := [tree for tree in trees if tree not in names]:
        others = {tree.pk: tree.key for tree in Tree.objects.filter(pk__in=missing)}
        keys |= others
        names |= _unpinned(others)
    return Titles(names, keys, probes)


def _asked_words(found: AskedProbe) -> Words:
    if found.row.probe is not None:
        return words_in(found.row.probe.title)
    text = found.row.adhoc.text.body if found.row.adhoc else ""
    return (text or "", "")


def _unpinned(keys: Mapping[int, str]) -> dict[int, Words]:
    newest: dict[int, TreeVersion] = {}
    for version in TreeVersion.objects.filter(tree__in=list(keys)).order_by("number"):
        newest[version.tree_id] = version
    return {tree: words_in(newest[tree].title) if tree in newest else (key, "en") for tree, key in keys.items()}
