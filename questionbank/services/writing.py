"""Writing a version down, with everything that hangs on it. Content comes from an outline, whoever made that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from people.models import Person
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.models import Anchor, Probe, Signal, Tree, TreeVersion, VersionAuthor, VersionStatus
from questionbank.outline import OutlineTree, Placed, probe_hash, version_hash, walk
from questionbank.services import probe_rows


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be written: of which tree, what it says, and the file it came from, "" if none."""

    tree: Tree
    outline: OutlineTree
    number: int
    source: str = ""


def write_version(new: OutlineTree, number: int, *, source: str = "", by: Person | None) -> TreeVersion:
    """Write a version with everything that hangs on it, as a draft."""
    return write_versions([NewVersion(Tree.objects.get(key=new.key), new, number, source)], by=by)[0]


def write_versions(news: Sequence[NewVersion], *, by: Person | None) -> list[TreeVersion]:
    """Write versions as drafts, in their order: one INSERT per table and depth, however many they are."""
    versions = TreeVersion.objects.bulk_create(_version_row(new, by) for new in news)
    rows = _write_probes(versions, news)
    pairs = [({key: row.pk for key, row in rows[place].items()}, new.outline.probes) for place, new in enumerate(news)]
    Signal.objects.bulk_create(row for pks, probes in pairs for row in probe_rows.signals(probes, pks))
    Anchor.objects.bulk_create(row for pks, probes in pairs for row in probe_rows.anchors(probes, pks))
    VersionStatus.objects.bulk_create(VersionStatus(version=version, state=VersionState.DRAFT) for version in versions)
    if by is not None:
        VersionAuthor.objects.bulk_create(VersionAuthor(version=version, person=by) for version in versions)
    return versions


def _version_row(new: NewVersion, by: Person | None) -> TreeVersion:
    outline = new.outline
    return TreeVersion(
        tree=new.tree,
        number=new.number,
        title=dict(outline.title),
        purpose=outline.purpose.value,
        misses_to_end=outline.misses,
        retry_when_unclear=outline.second_try,
        minutes=outline.minutes,
        content_hash=version_hash(outline),
        source_text=new.source,
        created_by=by,
    )


def _write_probes(versions: Sequence[TreeVersion], news: Sequence[NewVersion]) -> list[dict[str, Probe]]:
    """Write the probes of all versions, parents before their follow-ups; return for each version key -> row."""
    layers: dict[int, list[tuple[int, Placed, int]]] = {}
    for place, new in enumerate(news):
        for position, placed in enumerate(walk(new.outline)):
            layers.setdefault(placed.depth, []).append((place, placed, position))
    rows: list[dict[str, Probe]] = [{} for _new in news]
    for _depth, layer in sorted(layers.items()):
        made = Probe.objects.bulk_create(
            Probe(
                version=versions[place],
                key=placed.probe.key,
                parent=rows[place].get(placed.probe.parent or ""),
                position=position,
                level=placed.level,
                **probe_rows.columns(placed.probe),
            )
            for place, placed, position in layer
        )
        for (place, placed, _position), row in zip(layer, made, strict=True):
            rows[place][placed.probe.key] = row
    return rows


def settle(version: TreeVersion) -> None:
    """Bring the hashes of a draft to what it says now, and its levels to where its probes stand.

    The editor keeps both; whatever writes rows past it does not, and from here on others rely on them.
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
