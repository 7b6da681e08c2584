"""Probes that ask nearly the same, and where merged ones went.

Likeness is that of `lint.similar`, computed by the database: the share of trigrams that two prompts have in common, in
one language. Looked for in the newest version of each tree, drafts too: it is a curator who asks.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from questionbank.enums import PairVerdict
from questionbank.lint.similar import FEWEST, NEAR, normalised, trigrams
from questionbank.models import NearPair, Probe, ProbeFigures, ProbeText, Redirect, Tree
from questionbank.queries import newest_of_all

ProbeName = tuple[str, str]
"""The key of a tree and the key of a probe in it: what survives versions."""


@dataclass(frozen=True, slots=True)
class Near:
    """A probe of the bank whose prompt is like the one asked about: where, in which language, how much (0-1)."""

    tree: str
    number: int
    key: str
    language: str
    similarity: float
    prompt: dict[str, str]


def like_this_much(near: float) -> None:
    """Set what `%` means until the transaction ends: only with that operator are prompts found by index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pg_trgm.similarity_threshold', %s, true)", [str(near)])


# A rescue may repeat the probe that it rephrases, and what a curator called different isn't told again.
NEAR_PROBES = """
SELECT * FROM (
    SELECT DISTINCT ON (p.id)
        tree.key AS tree, v.number, p.key, t.language, similarity(t.prompt, asked.prompt) AS alike, p.prompt
    FROM unnest(%(languages)s::text[], %(prompts)s::text[]) AS asked (language, prompt)
    JOIN questionbank_probetext t ON t.prompt %% asked.prompt AND t.language = asked.language
    JOIN questionbank_probe p ON p.id = t.probe_id
    JOIN questionbank_treeversion v ON v.id = p.version_id
    JOIN questionbank_tree tree ON tree.id = v.tree_id
    LEFT JOIN questionbank_probe above ON above.id = p.parent_id
    WHERE NOT EXISTS (
            SELECT 1 FROM questionbank_treeversion later WHERE later.tree_id = v.tree_id AND later.number > v.number
        )
        AND cardinality(show_trgm(t.prompt)) >= %(fewest)s
        AND (tree.key, p.key) <> (%(tree)s, %(key)s)
        AND NOT (tree.key = %(tree)s AND p.kind = 'rescue' AND above.key = %(key)s)
        AND NOT EXISTS (
            SELECT 1 FROM questionbank_probe own JOIN questionbank_probe asked_first ON asked_first.id = own.parent_id
            WHERE own.version_id = v.id AND tree.key = %(tree)s AND own.key = %(key)s AND own.kind = 'rescue'
                AND asked_first.id = p.id
        )
        AND NOT EXISTS (
            SELECT 1 FROM questionbank_nearpair said JOIN questionbank_tree one ON one.id = said.tree_id
            JOIN questionbank_tree other ON other.id = said.other_tree_id
            WHERE said.verdict = 'different' AND (
                (one.key, said.key, other.key, said.other_key) = (tree.key, p.key, %(tree)s, %(key)s)
                OR (one.key, said.key, other.key, said.other_key) = (%(tree)s, %(key)s, tree.key, p.key)
            )
        )
    ORDER BY p.id, alike DESC
) AS found ORDER BY alike DESC, tree, key LIMIT %(most)s
"""


def near_duplicates(
    text_by_language: Mapping[str, str], *, exclude: ProbeName | None = None, near: float = NEAR, most: int = 10
) -> list[Near]:
    """Return the probes of the bank that ask nearly what a prompt asks, the most alike first, each in the language in
    which it is most so. `exclude`: the tree and key of the probe that the prompt is of.

    Two queries, however many there are. Prompts of fewer than `lint.similar.FEWEST` trigrams repeat nothing.
    """
    prompts = {language: normalised(words) for language, words in text_by_language.items()}
    prompts = {language: words for language, words in prompts.items() if len(trigrams(words)) >= FEWEST}
    if not prompts:
        return []
    tree, key = exclude or ("", "")
    asked: dict[str, Any] = {"languages": list(prompts), "prompts": list(prompts.values()), "most": most}
    with transaction.atomic(), connection.cursor() as cursor:
        like_this_much(near)
        cursor.execute(NEAR_PROBES, {**asked, "fewest": FEWEST, "tree": tree, "key": key})
        return [_near(row) for row in cursor.fetchall()]


def _near(row: tuple[Any, ...]) -> Near:
    tree, number, key, language, alike, prompt = row
    return Near(tree, number, key, language, float(alike), json.loads(prompt))


# --- pairs


def shown_probes() -> QuerySet[Probe]:
    """Return the probes of the newest version of each tree."""
    return Probe.objects.filter(version__in=newest_of_all().order_by().values("pk"))


def open_pairs() -> QuerySet[NearPair]:
    """Return the pairs that wait for a curator, most alike first: both probes are still there, and neither merged."""
    shown = shown_probes()
    mine = shown.filter(version__tree=OuterRef("tree"), key=OuterRef("key"))
    other = shown.filter(version__tree=OuterRef("other_tree"), key=OuterRef("other_key"))
    merged = Redirect.objects.filter(
        Q(tree=OuterRef("tree"), key=OuterRef("key")) | Q(tree=OuterRef("other_tree"), key=OuterRef("other_key"))
    )
    pairs = NearPair.objects.filter(Exists(mine), Exists(other), ~Exists(merged), verdict=PairVerdict.OPEN)
    return pairs.select_related("tree", "other_tree").order_by("-similarity", "id")


def not_compared() -> QuerySet[ProbeText]:
    """Return the prompts, of the newest versions, that were not compared with the rest of the bank yet."""
    return ProbeText.objects.filter(
        compared_at__isnull=True, probe__version__in=newest_of_all().order_by().values("pk")
    ).exclude(prompt="")


def newest_probes(names: Collection[ProbeName]) -> dict[ProbeName, Probe]:
    """Return these probes as the newest versions have them, by name, in one query; what isn't there is left out."""
    wanted = Q(pk__in=[])
    for tree, key in names:
        wanted |= Q(version__tree__key=tree, key=key)
    probes = shown_probes().filter(wanted).select_related("version__tree__topic", "version__status", "parent")
    return {(probe.version.tree.key, probe.key): probe for probe in probes}


# --- redirects

# From a merged probe along its redirects to the one that was kept in the end.
TARGET = """
WITH RECURSIVE way AS (
    SELECT r.*, 1 AS steps FROM questionbank_redirect r JOIN questionbank_tree t ON t.id = r.tree_id
    WHERE t.key = %s AND r.key = %s
    UNION ALL
    SELECT r.*, way.steps + 1 FROM way JOIN questionbank_redirect r ON (r.tree_id, r.key) = (way.to_tree_id, way.to_key)
    WHERE way.steps < 50
)
SELECT t.key, way.to_key FROM way JOIN questionbank_tree t ON t.id = way.to_tree_id ORDER BY way.steps DESC LIMIT 1
"""
# What the probes merged into those of one tree, over any number of merges, were asked; `kept` is the key that stands.
MERGED_FIGURES = """
WITH RECURSIVE way AS (
    SELECT r.tree_id, r.key, r.to_key AS kept, 1 AS steps FROM questionbank_redirect r WHERE r.to_tree_id = %s
    UNION
    SELECT r.tree_id, r.key, way.kept, way.steps + 1 FROM way
    JOIN questionbank_redirect r ON (r.to_tree_id, r.to_key) = (way.tree_id, way.key) WHERE way.steps < 50
)
SELECT f.*, merged.kept FROM (SELECT DISTINCT tree_id, key, kept FROM way) merged
JOIN questionbank_probefigures f ON (f.tree_id, f.probe_key) = (merged.tree_id, merged.key) ORDER BY f.id
"""


def merged_into(name: ProbeName) -> ProbeName | None:
    """Return the probe that a merged one was merged into, after all further merges, or None for one that stands."""
    with connection.cursor() as cursor:
        cursor.execute(TARGET, list(name))
        row = cursor.fetchone()
    return (row[0], row[1]) if row else None


def merged_figures(tree: Tree) -> list[tuple[str, ProbeFigures]]:
    """Return the figures of all probes that were merged into one of this tree's, each with the key of the kept one."""
    # kept: a column of the query, beside those of the model
    return [(row.kept, row) for row in ProbeFigures.objects.raw(MERGED_FIGURES, [tree.pk])]  # type: ignore[attr-defined]
