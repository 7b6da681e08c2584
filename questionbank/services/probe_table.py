"""All probes of the bank as one flat table, for people who count and sort in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from people.spreadsheets import as_csv
from questionbank.enums import SignalKind
from questionbank.ordering import english_first
from questionbank.outline import OutlineProbe, Text, walk
from questionbank.queries import WholeTree

HEAD: Final = (
    "topic", "tree", "version", "state", "id", "parent", "level", "kind", "aims", "when", "minutes", "scoring",
)  # fmt: skip
TEXTS: Final = ("title", "question", "heard", "strong", "recited", "weak")


def probe_table(wholes: Iterable[WholeTree]) -> str:
    """Return CSV: a row for each probe.

    Each kind of text has a column for every language of the bank, English first; several signals are several lines.
    """
    wholes = list(wholes)
    tags = sorted(
        {tag for whole in wholes for probe in whole.outline.probes for tag in probe.prompt}, key=english_first
    )
    head = [*HEAD, *(f"{name}_{tag}" for name in TEXTS for tag in tags)]
    return as_csv(head, (row for whole in wholes for row in _rows(whole, tags)))


def _rows(whole: WholeTree, tags: list[str]) -> Iterator[list[str | int]]:
    version, outline = whole.version, whole.outline
    for placed in walk(outline):
        probe = placed.probe
        yield [
            outline.topic.key,
            outline.key,
            version.number,
            version.status.state,
            probe.key,
            probe.parent or "",
            placed.level,
            probe.kind.value,
            " ".join(aim.value for aim in probe.aims),
            " ".join(outcome.value for outcome in probe.branch.outcomes) if probe.branch else "",
            probe.minutes,
            "scored" if probe.scored else "trial",
            *(text for name in TEXTS for text in _in_languages(probe, name, tags)),
        ]


def _in_languages(probe: OutlineProbe, name: str, tags: list[str]) -> list[str]:
    said: dict[str, tuple[Text, ...]] = {
        "title": (probe.title,),
        "question": (probe.prompt,),
        "heard": (probe.branch.heard,) if probe.branch else (),
        **{kind.value: probe.signals.get(kind, ()) for kind in SignalKind},
    }
    return ["\n".join(text[tag] for text in said[name] if tag in text) for tag in tags]
