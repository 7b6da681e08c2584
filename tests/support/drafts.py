"""A draft to edit in tests, and short ways to edit it and to look at what is stored then."""

from __future__ import annotations

from typing import Any

from people.models import Person
from questionbank import queries
from questionbank.edits.refusal import EditRefused
from questionbank.edits.shape import Place
from questionbank.enums import Aim, ProbeKind, VersionState
from questionbank.models import Anchor, Probe, Signal, TreeVersion
from questionbank.outline import OutlineTree, probe_hash, version_hash, walk
from questionbank.services import editing
from questionbank.services.writing import settle
from tests.support.factories import make_tree


def make_draft() -> TreeVersion:
    """Make the tree `clocks` of the factory as a draft, with right hashes and levels."""
    version = make_tree("clocks", state=VersionState.DRAFT)
    settle(version)
    return version


def outline(version: TreeVersion) -> OutlineTree:
    return queries.tree_version(version.tree.key, version.number).outline


def shape(version: TreeVersion) -> list[tuple[int, str]]:
    return [(placed.level, placed.probe.key) for placed in walk(outline(version))]


def change(version: TreeVersion, by: Person, name: str, value: str, **given: Any) -> editing.Edited:
    key = given.pop("key", "l2")
    was = given.pop("was", None)
    if was is None:
        one = next(probe for probe in outline(version).probes if probe.key == key)
        was = editing.fields.read_probe(one, name)
    shown = given.pop("along", None)
    if shown is None:
        shown = along(version, key, name, value)
    return editing.change_field(version, by=by, key=key, name=name, was=was, value=value, along=shown)


def along(version: TreeVersion, key: str, name: str, value: str) -> dict[str, str]:
    """Return what writing a field takes along, {} for one that can't be written."""
    one = next((probe for probe in outline(version).probes if probe.key == key), None)
    try:
        return editing.fields.gone_along(one, editing.fields.write_probe(one, name, value), name) if one else {}
    except EditRefused:
        return {}


def add(version: TreeVersion, by: Person, words: str, parent: str, after: str | None = None) -> str:
    place = Place(parent, after)
    kind, aims = ProbeKind.PROBE, [Aim.WHY]
    return editing.add_probe(version, by=by, place=place, prompt={"en": words}, kind=kind, aims=aims).key


def assert_right(version: TreeVersion) -> None:
    """Levels, hashes and order are what the outline says, as if the draft had been written in one go."""
    whole = queries.tree_version(version.tree.key, version.number)
    placed = {one.probe.key: one for one in walk(whole.outline)}
    assert {row.key: row.level for row in whole.probes} == {key: one.level for key, one in placed.items()}
    assert {row.key: row.content_hash for row in whole.probes} == {
        key: probe_hash(one.probe) for key, one in placed.items()
    }
    assert whole.version.content_hash == version_hash(whole.outline)
    numbers = [row.position for row in whole.probes]
    assert numbers == sorted(set(numbers))


def remove(version: TreeVersion, by: Person, key: str) -> editing.Edited:
    now = outline(version)
    shown = {one.key: editing.fingerprint(one) for one in now.probes}
    below = editing.shape.with_all_below(now, key)
    return editing.remove_probe(version, by=by, key=key, shown={one: shown[one] for one in below})


def grown(version: TreeVersion, number: int) -> None:
    """Hang more probes below the root, straight into the tables."""
    root = Probe.objects.get(version=version, key="root")
    made = Probe.objects.bulk_create(
        Probe(
            version=version, key=f"more-{n}", parent=root, position=100 + n, level=2, aims=["depth"],
            title={"en": f"More {n}"}, prompt={"en": f"What about {n}?"}, content_hash="0" * 64,
        )
        for n in range(number)
    )  # fmt: skip
    Signal.objects.bulk_create(Signal(probe=one, kind="strong", text={"en": "Yes"}) for one in made for _ in range(9))
    Anchor.objects.bulk_create(
        Anchor(probe=one, aim="depth", rating=n, text={"en": "x"}) for one in made for n in range(5)
    )
    settle(version)


def whole(version: TreeVersion) -> queries.WholeTree:
    return queries.tree_version(version.tree.key, version.number)
