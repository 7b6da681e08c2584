"""A bank as large as one that many people kept for years: made up, the same each time, in English and Chinese."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from random import Random

from django.db import connection
from django.utils import timezone

from people.models import Person
from questionbank.enums import Aim, ProbeKind, VersionState
from questionbank.models import (
    Plan,
    PlanTree,
    Probe,
    ProbeFigures,
    Signal,
    Topic,
    Tree,
    TreeVersion,
    VersionStatus,
)

WORDS = json.loads((Path(__file__).parent / "big_bank.json").read_text(encoding="utf-8"))
THINGS: dict[str, str] = WORDS["things"]
WHERE: dict[str, str] = WORDS["where"]
FORMS: dict[str, str] = WORDS["forms"]
SAID: dict[str, list[str]] = WORDS["signals"]
SEARCHES: list[str] = WORDS["searches"]
FAMILY, GIVEN = WORDS["names"]
PROBES_PER_TREE = 12.5


def texts(random: Random, number: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return what one question is about, by the names of the forms' gaps, in English and in Chinese."""
    thing, other = random.sample(list(THINGS), 2)
    where = random.choice(list(WHERE))
    # Real banks differ in details: versions, sizes, names. So does this one, or every question would have a twin.
    detail = f"{random.choice('BCDFGKLMNPRSTVZ')}{random.choice('aeiou')}{random.choice('klmnrst')}-{number % 997}"
    english = {"thing": thing, "other": other, "where": f"{where} ({detail})"}
    named = random.choice(FAMILY) + random.choice(GIVEN)
    chinese = {"thing": THINGS[thing], "other": THINGS[other], "where": f"{WHERE[where]}（{named}，{detail}）"}
    return english, chinese


def make_big_bank(probes: int) -> None:
    """Make a bank of about so many probes, 12 or 13 to a tree.

    A tree in four has an older version, the newest of one in nine is a draft.
    """
    random = Random(20_000)  # noqa: S311 - the same bank each time
    owners = Person.objects.bulk_create(
        Person(email=f"curator-{number}@sounding.example", name=f"Curator {number}", roles=["curator"])
        for number in range(5)
    )
    topics = Topic.objects.bulk_create(
        Topic(key=f"topic-{number}", title={"en": f"Topic {number}", "zh-Hans": f"主题 {number}"}, position=number)
        for number in range(40)
    )
    trees = Tree.objects.bulk_create(
        Tree(key=f"tree-{number}", topic=topics[number % 40], position=number, owner=random.choice([*owners, None]))
        for number in range(max(1, round(probes / PROBES_PER_TREE)))
    )
    versions = TreeVersion.objects.bulk_create(_versions(trees, random))
    states = {version.pk: VersionState.PUBLISHED for version in versions}
    newest = {version.tree_id: version for version in versions}
    states |= {version.pk: VersionState.DRAFT for place, version in enumerate(newest.values()) if place % 9 == 0}
    now = timezone.now()
    made = list(_probes(versions))
    with described_at_once():
        _write(made)
    VersionStatus.objects.bulk_create(
        VersionStatus(version_id=pk, state=state, published_at=now if state == VersionState.PUBLISHED else None)
        for pk, state in states.items()
    )
    ProbeFigures.objects.bulk_create(
        ProbeFigures(
            tree_id=probe.version.tree_id, probe_key=probe.key, content_hash=probe.content_hash, asked=9,
            last_used_on=date(2026, 1, 1) + timedelta(days=random.randrange(300)),
        )
        for probe, _ in made
        if probe.version.number == 1 and random.random() < 0.5
    )  # fmt: skip
    for number in range(6):
        plan = Plan.objects.create(key=f"plan-{number}", name=f"Plan {number}")
        PlanTree.objects.bulk_create(
            PlanTree(plan=plan, tree=tree, position=place) for place, tree in enumerate(trees[number::200])
        )


def _write(made: list[tuple[Probe, list[Signal]]]) -> None:
    Probe.objects.bulk_create(probe for probe, _ in made if probe.parent is None)
    for start in range(0, len(made), 2000):
        Probe.objects.bulk_create(probe for probe, _ in made[start : start + 2000] if probe.parent)
        Signal.objects.bulk_create(signal for _, signals in made[start : start + 2000] for signal in signals)


@contextmanager
def described_at_once() -> Iterator[None]:
    """Leave the triggers out and describe all probes in the end: what takes years in a bank takes a minute here."""
    tables = ("questionbank_probe", "questionbank_signal")
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        cursor.execute("SELECT questionbank_describe(ARRAY(SELECT id FROM questionbank_probe))")


def _versions(trees: list[Tree], random: Random) -> Iterator[TreeVersion]:
    for place, tree in enumerate(trees):
        english, chinese = texts(random, place)
        for number in range(1, 3 if place % 4 == 0 else 2):
            title = {"en": english["thing"].capitalize(), "zh-Hans": chinese["thing"]}
            yield TreeVersion(tree=tree, number=number, title=title, content_hash=_digest(tree.key, number))


def _probes(versions: list[TreeVersion]) -> Iterator[tuple[Probe, list[Signal]]]:
    for place, version in enumerate(versions):
        own = Random(version.tree.key)  # noqa: S311 - both versions of a tree ask the same
        root = None
        for number in range(12 + place % 2):
            english, chinese = texts(own, place * 13 + number)
            form = own.choice(list(FORMS))
            level = 1 + number // 3
            probe = Probe(
                version=version,
                key=f"q{number}",
                # A flat tree: what is found does not depend on who stands below whom.
                parent=root,
                level=level if root else 1,
                position=number,
                kind=ProbeKind.PROBE if root else ProbeKind.CHECK,
                aims=[[Aim.DEPTH, Aim.WHY, Aim.HANDS_ON][number % 3].value],
                title={"en": english["thing"].capitalize(), "zh-Hans": chinese["thing"]},
                prompt={"en": form.format(**english), "zh-Hans": FORMS[form].format(**chinese)},
                content_hash=_digest(version.tree.key, number),
            )
            root = root or probe
            yield (
                probe,
                [
                    Signal(probe=probe, kind=kind, text={"en": en.format(**english), "zh-Hans": zh.format(**chinese)})
                    for kind, (en, zh) in SAID.items()
                ],
            )


def _digest(key: str, number: int) -> str:
    return hashlib.sha256(f"{key} {number}".encode()).hexdigest()
