"""What the linter says about prompts that nearly repeat others of the bank: of trees in the bank, and in files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.db import connection, transaction
from django.db.models import Q

from questionbank.lint import Finding
from questionbank.lint.similar import FEWEST, NEAR, near_duplicate, normalised, trigrams
from questionbank.outline import OutlineTree
from questionbank.queries.duplicates import like_this_much, open_pairs

AT_ONCE = 25
"""Prompts of one query: each takes a few hundredths of a second."""


def known_repeats(outline: OutlineTree) -> list[Finding]:
    """Return what is known of one tree of the bank, from the pairs that the worker found, in one query.

    A prompt that was just changed is compared within minutes.
    """
    places = {probe.key: index for index, probe in enumerate(outline.probes)}
    found: dict[tuple[str, tuple[str, str]], Finding] = {}
    for pair in open_pairs().filter(Q(tree__key=outline.key) | Q(other_tree__key=outline.key)):
        names = [(pair.tree.key, pair.key), (pair.other_tree.key, pair.other_key)]
        for (tree, key), other in (names, names[::-1]):
            if tree == outline.key and key in places:
                found[key, other] = near_duplicate(
                    tree, key, pair.language, other=other, likeness=pair.similarity, index=places[key]
                )
    return sorted(found.values(), key=lambda finding: finding.index or 0)


@dataclass(frozen=True, slots=True)
class _Asked:
    tree: OutlineTree
    index: int
    language: str
    prompt: str


# Of each prompt the most alike in the newest versions of other trees, if a curator didn't call the two different.
REPEATS = """
SELECT DISTINCT ON (asked.place) asked.place, tree.key, p.key, similarity(t.prompt, asked.prompt) AS alike
FROM unnest(%(places)s::int[], %(languages)s::text[], %(prompts)s::text[], %(trees)s::text[], %(keys)s::text[])
    AS asked (place, language, prompt, tree, key)
JOIN questionbank_probetext t ON t.prompt %% asked.prompt AND t.language = asked.language
JOIN questionbank_probe p ON p.id = t.probe_id
JOIN questionbank_treeversion v ON v.id = p.version_id
JOIN questionbank_tree tree ON tree.id = v.tree_id
WHERE tree.key <> ALL (%(given)s::text[])
    AND cardinality(show_trgm(t.prompt)) >= %(fewest)s
    AND NOT EXISTS (
        SELECT 1 FROM questionbank_treeversion later WHERE later.tree_id = v.tree_id AND later.number > v.number
    )
    AND NOT EXISTS (
        SELECT 1 FROM questionbank_nearpair said JOIN questionbank_tree one ON one.id = said.tree_id
        JOIN questionbank_tree other ON other.id = said.other_tree_id
        WHERE said.verdict = 'different' AND (
            (one.key, said.key, other.key, said.other_key) = (tree.key, p.key, asked.tree, asked.key)
            OR (one.key, said.key, other.key, said.other_key) = (asked.tree, asked.key, tree.key, p.key)
        )
    )
ORDER BY asked.place, alike DESC, tree.key, p.key
"""


def repeats_in_bank(trees: Sequence[OutlineTree], *, seconds: float = 5.0) -> list[Finding]:
    """Return one finding for each probe of these trees that nearly repeats a probe of another tree of the bank.

    Stops looking after about so many seconds: the rest of a large import is found by the worker once it is in the bank.
    """
    end = monotonic() + seconds
    asked = list(_asked(trees))
    best: dict[tuple[str, int], Finding] = {}
    for start in range(0, len(asked), AT_ONCE):
        for finding in _look(asked[start : start + AT_ONCE], [tree.key for tree in trees]):
            place = (finding.tree, finding.index or 0)
            if place not in best or best[place].values["percent"] < finding.values["percent"]:  # type: ignore[operator]
                best[place] = finding
        if monotonic() > end:
            break
    return list(best.values())


def _asked(trees: Sequence[OutlineTree]) -> Iterator[_Asked]:
    for tree in trees:
        for index, probe in enumerate(tree.probes):
            for language, words in probe.prompt.items():
                prompt = normalised(words)
                if len(trigrams(prompt)) >= FEWEST:
                    yield _Asked(tree, index, language, prompt)


@transaction.atomic
def _look(asked: Sequence[_Asked], given: Sequence[str]) -> list[Finding]:
    values: dict[str, Any] = {
        "places": list(range(len(asked))),
        "languages": [one.language for one in asked],
        "prompts": [one.prompt for one in asked],
        "trees": [one.tree.key for one in asked],
        "keys": [one.tree.probes[one.index].key for one in asked],
        "given": list(given),
        "fewest": FEWEST,
    }
    like_this_much(NEAR)
    with connection.cursor() as cursor:
        cursor.execute(REPEATS, values)
        rows = cursor.fetchall()
    return [_finding(asked[place], (tree, key), float(alike)) for place, tree, key, alike in rows]


def _finding(asked: _Asked, other: tuple[str, str], likeness: float) -> Finding:
    key = asked.tree.probes[asked.index].key
    return near_duplicate(asked.tree.key, key, asked.language, other=other, likeness=likeness, index=asked.index)
