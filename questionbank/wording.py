"""What the closed lists of the bank are called on pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from questionbank.enums import Aim, BranchOutcome, LastUsed, ProbeKind, Purpose, SignalKind, VersionState
from questionbank.health import Help

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

AIMS: Final[dict[Aim, _StrPromise]] = {
    Aim.DEPTH: pgettext_lazy("aim", "depth"),
    Aim.WHY: pgettext_lazy("aim", "why"),
    Aim.HANDS_ON: pgettext_lazy("aim", "hands-on"),
}
KINDS: Final[dict[ProbeKind, _StrPromise]] = {
    ProbeKind.CHECK: pgettext_lazy("kind of probe", "check"),
    ProbeKind.PROBE: pgettext_lazy("kind of probe", "probe"),
    ProbeKind.RESCUE: pgettext_lazy("kind of probe", "rescue"),
}
OUTCOMES: Final[dict[BranchOutcome, _StrPromise]] = {
    BranchOutcome.SUSTAINED: pgettext_lazy("outcome", "sustained"),
    BranchOutcome.PARTIAL: pgettext_lazy("outcome", "partial"),
    BranchOutcome.RECITED: pgettext_lazy("outcome", "recited"),
    BranchOutcome.NOT_SUSTAINED: pgettext_lazy("outcome", "not sustained"),
}
HELPS: Final[dict[Help, _StrPromise]] = {
    Help.UNAIDED: _("unaided"),
    Help.CLARIFIED: _("clarified"),
    Help.HINTED: _("hinted"),
    Help.TOLD: _("told"),
}
SIGNALS: Final[dict[SignalKind, _StrPromise]] = {
    SignalKind.STRONG: pgettext_lazy("signal", "Strong"),
    SignalKind.RECITED: pgettext_lazy("signal", "Recited"),
    SignalKind.WEAK: pgettext_lazy("signal", "Weak"),
}
PURPOSES: Final[dict[Purpose, _StrPromise]] = {
    Purpose.BOUNDARY: _("Boundary tree"),
    Purpose.BREADTH: _("Breadth tree"),
}
STATES: Final[dict[VersionState, _StrPromise]] = {
    VersionState.DRAFT: pgettext_lazy("version", "draft"),
    VersionState.IN_REVIEW: pgettext_lazy("version", "in review"),
    VersionState.PUBLISHED: pgettext_lazy("version", "published"),
    VersionState.RETIRED: pgettext_lazy("version", "retired"),
}
LAST_USED: Final[dict[LastUsed, _StrPromise]] = {
    LastUsed.QUARTER: _("in the last three months"),
    LastUsed.YEAR: _("in the last year"),
    LastUsed.NOT_YEAR: _("not in the last year"),
    LastUsed.NEVER: _("no use known"),
}
# Languages are named in themselves, so that whoever reads one recognises it.
LANGUAGES: Final = {"en": "English", "zh-hans": "简体中文", "zh-hant": "繁體中文", "zh": "中文", "de": "Deutsch"}


def language_name(tag: str) -> str:
    return LANGUAGES.get(tag.lower(), tag)


def one_of(words: Iterable[object]) -> str:
    """Join as "a, b or c"."""
    *first, last = [str(word) for word in words] or [""]
    if not first:
        return last
    return gettext("%(first)s or %(last)s") % {"first": gettext(", ").join(first), "last": last}
