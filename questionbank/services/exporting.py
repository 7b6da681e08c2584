"""Write the bank out: one file per tree, with the comments and the order of the file that it came from."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from questionbank import queries
from questionbank.exchange.files import read_paths
from questionbank.exchange.update import update
from questionbank.exchange.write import write
from questionbank.models import TreeVersion
from questionbank.outline import Difference, difference
from questionbank.services.counts import Counts


def text_of(whole: queries.WholeTree) -> str:
    """Return a version as our YAML. Where it came from a file, only what differs from that is written anew."""
    source = whole.version.source_text
    # Which languages a file promises is the file's own choice.
    return update(source, replace(whole.outline, languages=())) if source else write(whole.outline)


class UnknownVersions(Exception):
    """Some trees that were asked for aren't there, or not in that version; holds their keys. Nothing was written."""

    def __init__(self, keys: Collection[str]) -> None:
        super().__init__(", ".join(sorted(keys)))
        self.keys = tuple(sorted(keys))


@dataclass(frozen=True, slots=True)
class Exported:
    """One file as it was written. `probes` compares it with the file of that name that was there before."""

    file: str
    tree: str
    number: int
    probes: Difference


@dataclass(slots=True)
class ExportReport(Counts):
    """`not_written`: files that couldn't be, {name: why}; the others were."""

    files: list[Exported] = field(default_factory=list)
    not_written: dict[str, str] = field(default_factory=dict)


def versions(
    keys: Collection[str] = (), *, published: bool = False, number: int | None = None
) -> Iterable[TreeVersion]:
    """Return one version of each of these trees, or of all: the newest, the newest published, or the one numbered.

    Raises UnknownVersions where a tree that was named has none.
    """
    if number is not None:
        found = queries.numbered(number)
    else:
        found = queries.published_trees() if published else queries.newest_of_all()
    if not keys:
        return found
    chosen = list(found.filter(tree__key__in=keys))
    missing = set(keys) - {version.tree.key for version in chosen}
    if missing:
        raise UnknownVersions(missing)
    return chosen


def export_files(folder: Path, chosen: Iterable[TreeVersion]) -> ExportReport:
    """Write each version to KEY.yaml in the folder. Other files there stay. Raises OSError where there is no folder."""
    folder.mkdir(parents=True, exist_ok=True)
    report = ExportReport()
    topics: set[str] = set()
    for whole in queries.whole_trees(chosen):
        path = folder / f"{whole.outline.key}.yaml"
        probes = difference(read_paths([path])[0].tree, whole.outline)
        try:
            _write(path, text_of(whole))
        except OSError as error:
            report.not_written[path.name] = error.strerror or type(error).__name__
            continue
        report.files.append(Exported(path.name, whole.outline.key, whole.version.number, probes))
        report.count(probes)
        topics.add(whole.outline.topic.key)
    report.topics = len(topics)
    return report


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all, in this folder: a link of its name is replaced, not followed out of it."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with fresh.open("x", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
