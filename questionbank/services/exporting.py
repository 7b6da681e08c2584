"""Write the bank out: one file per tree, as it came in where it came from a file."""

from __future__ import annotations

from pathlib import Path

from questionbank import queries
from questionbank.exchange.write import write
from questionbank.exchange.yaml import read
from questionbank.outline import version_hash


def text_of(whole: queries.WholeTree) -> str:
    """Return a version as our YAML: its own source, comments and order kept, while that still says the same."""
    source = whole.version.source_text
    if source:
        tree = read(source.encode(), file="").tree
        # The topic is the bank's, not the version's: a source from before a renaming would carry the old title back.
        # And a draft that came from a file may have been edited in the browser since.
        if tree and tree.topic == whole.outline.topic and version_hash(tree) == whole.version.content_hash:
            return source
    return write(whole.outline)


def export_files(folder: Path) -> dict[str, int]:
    """Write the newest version of every tree to KEY.yaml in the folder; return file name -> probes. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, int] = {}
    for whole in queries.whole_trees(queries.newest_of_all()):
        name = f"{whole.version.tree.key}.yaml"
        (folder / name).write_text(text_of(whole), encoding="utf-8")
        written[name] = len(whole.probes)
    return written
