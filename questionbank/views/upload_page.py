"""What the pages of an upload draw: its kept report, put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from questionbank.enums import UploadFailure, UploadState
from questionbank.exchange.problems import Problem
from questionbank.lint import Severity
from questionbank.models import Upload

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SHOWN: Final = 50
"""Entries of a long list that the page itself shows; all are on pages of their own."""
NAMED: Final = 8
"""Probes that a line names by their keys."""

STATES: Final[Mapping[UploadState, _StrPromise]] = {
    UploadState.UPLOADED: gettext_lazy("waiting to be read"),
    UploadState.READING: gettext_lazy("being read"),
    UploadState.PREVIEW: gettext_lazy("waiting for your yes"),
    UploadState.IMPORTING: gettext_lazy("being imported"),
    UploadState.DONE: gettext_lazy("imported"),
    UploadState.FAILED: gettext_lazy("failed"),
    UploadState.CANCELLED: gettext_lazy("cancelled"),
}
FAILURES: Final[Mapping[UploadFailure, _StrPromise]] = {
    UploadFailure.TOO_LONG: gettext_lazy("It took longer than a job may. Send the files in parts."),
    UploadFailure.CRASHED: gettext_lazy("Something in here broke. An administrator finds it in the server's log."),
    UploadFailure.NO_RIGHT: gettext_lazy("You may no longer write in the bank."),
}
RUNNING: Final = frozenset({UploadState.UPLOADED, UploadState.READING, UploadState.IMPORTING})


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one kind: the first few, and how many there are."""

    stops: bool
    count: int
    examples: list[Problem]

    @property
    def more(self) -> int:
        return self.count - len(self.examples)


@dataclass(frozen=True, slots=True)
class TreeLine:
    file: str
    key: str
    title: Mapping[str, str]
    topic: Mapping[str, str]
    words: str
    new: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """`percent` is None while nobody knows how much there is."""

    done: int
    total: int
    percent: int | None
    words: str


def problems_of(values: Sequence[Mapping[str, Any]]) -> list[Problem]:
    return [Problem(**{**value, "severity": Severity(value["severity"])}) for value in values]


def preview_context(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the preview shows: everything said in words, long lists by their beginning."""
    trees = report.get("trees", [])
    changing = [tree for tree in trees if tree["new"] or tree["moved"]]
    return {
        "problems": problems_of(report["problems"]),
        "notices": problems_of(report["notices"]),
        "beside": problems_of(report.get("beside", [])),
        "more_beside": report.get("n_beside", 0) - len(report.get("beside", [])),
        "tables": bool(report["tables"]),
        "unplaced": report["unplaced"][:SHOWN],
        "n_unplaced": len(report["unplaced"]),
        "says": says(report) if not report["problems"] else [],
        "topics_added": report.get("topics_added", []),
        "topics_renamed": report.get("topics_renamed", []),
        "plans": [(plan["name"], PLANS[plan["what"]]) for plan in report.get("plans", [])],
        "trees": [tree_line(tree) for tree in (changing or trees)[:SHOWN]],
        "n_trees": len(trees),
        "n_changing": len(changing),
        "groups": [
            FindingGroup(group["severity"] == Severity.STOPS, group["count"], problems_of(group["examples"]))
            for group in report.get("findings", [])
        ],
        "nothing_new": not changing and not any(plan["what"] != "left" for plan in report.get("plans", [])),
    }


PLANS: Final[Mapping[str, _StrPromise]] = {
    "added": gettext_lazy("new plan"),
    "changed": gettext_lazy("plan changes"),
    "left": gettext_lazy("plan left as it is"),
}


def says(report: Mapping[str, Any]) -> list[str]:
    """Say in a few sentences what an import does."""
    counts = report["counts"]
    new = sum(tree["new"] and tree["number"] == 1 for tree in report["trees"])
    again = sum(tree["new"] and tree["number"] > 1 for tree in report["trees"])
    left = len(report["trees"]) - new - again
    lines = [
        (new, ngettext("%(n)d new tree.", "%(n)d new trees.", new)),
        (again, ngettext("%(n)d tree gets a new version.", "%(n)d trees get a new version.", again)),
        (left, ngettext("%(n)d tree stays as it is.", "%(n)d trees stay as they are.", left)),
        (counts["added"], ngettext("%(n)d probe is added.", "%(n)d probes are added.", counts["added"])),
        (counts["changed"], ngettext("%(n)d probe changes.", "%(n)d probes change.", counts["changed"])),
        (counts["left"], ngettext("%(n)d probe stays as it is.", "%(n)d probes stay as they are.", counts["left"])),
    ]
    return [words % {"n": n} for n, words in lines if n]


def tree_line(tree: Mapping[str, Any]) -> TreeLine:
    return TreeLine(tree["file"], tree["key"], tree["title"], tree["topic"], _in_words(tree), tree["new"])


def _in_words(tree: Mapping[str, Any]) -> str:
    number, added = tree["number"], len(tree["added"])
    if not tree["new"]:
        parts = [_("version %(n)d stays") % {"n": number}]
    elif number == 1:
        parts = [ngettext("new, %(n)d probe", "new, %(n)d probes", added) % {"n": added}]
    else:
        parts = [_("version %(n)d") % {"n": number}]
        parts += [f"{word} {_named(tree[name])}" for name, word in _changes() if tree[name]]
    if tree["head"]:
        parts.append(_("title, rule or order changed"))
    if tree["moved"]:
        parts.append(_("moves to this topic"))
    return _("; ").join(parts)


def _changes() -> list[tuple[str, str]]:
    return [("added", _("added:")), ("changed", _("changed:")), ("removed", _("removed:"))]


def _named(keys: Sequence[str]) -> str:
    named = _(", ").join(keys[:NAMED])
    more = len(keys) - NAMED
    return (
        named
        if more <= 0
        else ngettext("%(keys)s and %(n)d more", "%(keys)s and %(n)d more", more)
        % {
            "keys": named,
            "n": more,
        }
    )


def progress_of(upload: Upload) -> Progress:
    state = UploadState(upload.state)
    if not upload.total:
        words = _("Waiting for its turn.") if state == UploadState.UPLOADED else _("Reading the files.")
        return Progress(0, 0, None, words)
    percent = min(100, 100 * upload.done // upload.total)
    said = (
        _("%(done)d of %(total)d trees written.")
        if state == UploadState.IMPORTING
        else _("%(done)d of %(total)d trees compared.")
    )
    return Progress(upload.done, upload.total, percent, said % {"done": upload.done, "total": upload.total})
