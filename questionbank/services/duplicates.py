"""Comparing the bank with itself, a part at a time, and saying that a pair is none."""

from __future__ import annotations

from time import monotonic
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from people import audit
from people.locks import Lock, queue_on
from people.models import Person
from questionbank.enums import PairVerdict
from questionbank.lint.similar import FEWEST, NEAR
from questionbank.models import NearPair, ProbeText
from questionbank.queries.duplicates import like_this_much, not_compared

PROBES_AT_ONCE = 50

# All languages of a probe together: a pair holds the one in which both are most alike.
FORGET = """
DELETE FROM questionbank_nearpair n USING questionbank_probe p, questionbank_treeversion v
WHERE p.id = ANY (%(probes)s) AND v.id = p.version_id AND n.verdict = 'open'
    AND ((n.tree_id, n.key) = (v.tree_id, p.key) OR (n.other_tree_id, n.other_key) = (v.tree_id, p.key))
"""
COMPARE = """
WITH found AS (
    SELECT mine.tree_id, mine.key, other_v.tree_id AS other_tree_id, other_p.key AS other_key, t.language,
        similarity(t.prompt, mine.prompt) AS alike
    FROM (
        SELECT v.tree_id, v.id AS version_id, p.id, p.key, p.kind, p.parent_id, own.language, own.prompt
        FROM questionbank_probe p JOIN questionbank_treeversion v ON v.id = p.version_id
        JOIN questionbank_probetext own ON own.probe_id = p.id
        WHERE p.id = ANY (%(probes)s) AND cardinality(show_trgm(own.prompt)) >= %(fewest)s
    ) AS mine
    JOIN questionbank_probetext t ON t.prompt %% mine.prompt AND t.language = mine.language
    JOIN questionbank_probe other_p ON other_p.id = t.probe_id AND other_p.id <> mine.id
    JOIN questionbank_treeversion other_v ON other_v.id = other_p.version_id
    WHERE cardinality(show_trgm(t.prompt)) >= %(fewest)s
        AND NOT EXISTS (
            SELECT 1 FROM questionbank_treeversion later
            WHERE later.tree_id = other_v.tree_id AND later.number > other_v.number
        )
        AND NOT (other_p.kind = 'rescue' AND other_p.parent_id = mine.id)
        AND NOT (mine.kind = 'rescue' AND mine.parent_id = other_p.id)
        AND (mine.tree_id, mine.key) <> (other_v.tree_id, other_p.key)
), pairs AS (
    SELECT CASE WHEN (tree_id, key) < (other_tree_id, other_key) THEN tree_id ELSE other_tree_id END AS tree_id,
        CASE WHEN (tree_id, key) < (other_tree_id, other_key) THEN key ELSE other_key END AS key,
        CASE WHEN (tree_id, key) < (other_tree_id, other_key) THEN other_tree_id ELSE tree_id END AS other_tree_id,
        CASE WHEN (tree_id, key) < (other_tree_id, other_key) THEN other_key ELSE key END AS other_key,
        language, alike
    FROM found
)
INSERT INTO questionbank_nearpair AS n (tree_id, key, other_tree_id, other_key, language, similarity, verdict)
SELECT DISTINCT ON (tree_id, key, other_tree_id, other_key)
    tree_id, key, other_tree_id, other_key, language, alike, 'open'
FROM pairs ORDER BY tree_id, key, other_tree_id, other_key, alike DESC, language
ON CONFLICT (tree_id, key, other_tree_id, other_key) DO UPDATE
    SET similarity = EXCLUDED.similarity, language = EXCLUDED.language
"""
# Whoever edits a prompt meanwhile says that it is to be compared again; that stands.
DONE = """
UPDATE questionbank_probetext t SET compared_at = %(now)s
FROM unnest(%(texts)s::bigint[], %(prompts)s::text[]) AS compared(id, prompt)
WHERE t.id = compared.id AND t.prompt = compared.prompt
"""


def compare_waiting(seconds: float = 20.0) -> int:
    """Compare prompts that are new or changed with the whole bank, for about so long. Return how many probes.

    What isn't reached waits for the next time; a crash costs the part that was under way.
    """
    end = monotonic() + seconds
    done = 0
    while (n := _compare_some()) and monotonic() < end:
        done += n
    return done + n


@transaction.atomic
def _compare_some() -> int:
    queue_on(Lock.COMPARE)
    with connection.cursor() as cursor:
        waiting = not_compared().order_by("id").values_list("probe_id", flat=True)[: PROBES_AT_ONCE * 2]
        probes = list(dict.fromkeys(waiting))[:PROBES_AT_ONCE]
        if probes:
            like_this_much(NEAR)
            said = list(ProbeText.objects.filter(probe__in=probes).values_list("pk", "prompt"))
            asked: dict[str, Any] = {"probes": probes, "fewest": FEWEST, "now": timezone.now()}
            asked["texts"], asked["prompts"] = (list(column) for column in zip(*said, strict=True))
            for statement in (FORGET, COMPARE, DONE):
                cursor.execute(statement, asked)
    return len(probes)


def call_different(pair: NearPair, *, by: Person) -> None:
    """Say that two probes only look alike: the pair isn't listed again."""
    with transaction.atomic():
        NearPair.objects.filter(pk=pair.pk).update(
            verdict=PairVerdict.DIFFERENT, judged_by=by, judged_at=timezone.now()
        )
        audit.record(by, "probes.different", pair)
