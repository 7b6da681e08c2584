"""Writing a version down, with everything that hangs on it. Content comes from an outline, whoever made that."""

from __future__ import annotations

from collections.abc import Iterable

from people.models import Person
from questionbank import queries
from questionbank.enums import Scoring, VersionState
from questionbank.models import Anchor, Probe, Signal, Tree, TreeVersion, VersionAuthor, VersionStatus
from questionbank.outline import OutlineProbe, OutlineTree, Placed, probe_hash, version_hash, walk


def write_version(new: OutlineTree, number: int, *, source: str = "", by: Person | None) -> TreeVersion:
    """Write a version with everything that hangs on it, as a draft: one INSERT per table and depth."""
    version = TreeVersion.objects.create(
        tree=Tree.objects.get(key=new.key),
        number=number,
        title=dict(new.title),
        purpose=new.purpose.value,
        misses_to_end=new.misses,
        retry_when_unclear=new.second_try,
        minutes=new.minutes,
        content_hash=version_hash(new),
        source_text=source,
        created_by=by,
    )
    rows: dict[str, Probe] = {}
    placed = list(walk(new))
    for depth in range(max(one.depth for one in placed) + 1):
        layer = [
            _probe_row(version, one, position, rows.get(one.probe.parent or ""))
            for position, one in enumerate(placed)
            if one.depth == depth
        ]
        rows.update((probe.key, probe) for probe in Probe.objects.bulk_create(layer))
    Signal.objects.bulk_create(_signal_rows(rows, new.probes))
    Anchor.objects.bulk_create(_anchor_rows(rows, new.probes))
    VersionStatus.objects.create(version=version, state=VersionState.DRAFT)
    note_author(version, by)
    return version


def settle(version: TreeVersion) -> None:
    """Bring the hashes of a draft to what it says now, and its levels to where its probes stand.

    An editor that writes one cell at a time may leave them behind; from here on others rely on them.
    """
    outline = queries.whole(version).outline
    rows = {probe.key: probe for probe in version.probes.all()}
    stale = []
    for placed in walk(outline):
        row, digest = rows[placed.probe.key], probe_hash(placed.probe)
        if (row.content_hash, row.level) != (digest, placed.level):
            row.content_hash, row.level = digest, placed.level
            stale.append(row)
    Probe.objects.bulk_update(stale, ["content_hash", "level"])
    version.content_hash = version_hash(outline)
    version.save(update_fields=["content_hash"])


def note_author(version: TreeVersion, by: Person | None) -> None:
    """Remember that this person wrote on the draft: somebody else reviews it. Called with every change of content."""
    if by is not None:
        VersionAuthor.objects.bulk_create([VersionAuthor(version=version, person=by)], ignore_conflicts=True)


def _probe_row(version: TreeVersion, placed: Placed, position: int, parent: Probe | None) -> Probe:
    probe = placed.probe
    return Probe(
        version=version,
        key=probe.key,
        parent=parent,
        position=position,
        level=placed.level,
        kind=probe.kind.value,
        same_level=probe.same_level,
        aims=[aim.value for aim in probe.aims],
        title=dict(probe.title),
        prompt=dict(probe.prompt),
        on_outcomes=[outcome.value for outcome in probe.branch.outcomes] if probe.branch else [],
        heard=dict(probe.branch.heard) if probe.branch else {},
        minutes=probe.minutes,
        scoring=Scoring.SCORED if probe.scored else Scoring.TRIAL,
        content_hash=probe_hash(probe),
    )


def _signal_rows(rows: dict[str, Probe], probes: Iterable[OutlineProbe]) -> Iterable[Signal]:
    for probe in probes:
        for kind, texts in probe.signals.items():
            for position, text in enumerate(texts):
                yield Signal(probe=rows[probe.key], kind=kind.value, position=position, text=dict(text))


def _anchor_rows(rows: dict[str, Probe], probes: Iterable[OutlineProbe]) -> Iterable[Anchor]:
    for probe in probes:
        for aim, scale in probe.anchors.items():
            for rating, text in scale.items():
                yield Anchor(probe=rows[probe.key], aim=aim.value, rating=rating, text=dict(text))
