"""How editing says no, in words: what can't be done, and what somebody else did meanwhile."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from people.refusal import Refused
from questionbank.edits.refusal import EditRefused

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

WORDS: Final[dict[str, _StrPromise]] = {
    # the tree
    "root_stays": _("The first probe stays where it is: everything hangs on it. Put another one above it first."),
    "second_root": _("A tree has one first probe. Choose a probe to add below."),
    "into_itself": _("A probe can't move below itself."),
    "no_such_probe": _("This probe isn't in the tree any more."),
    "no_such_place": _("The place you chose isn't there any more. Look at the tree and choose again."),
    "key_twice": _("The key %(key)s belongs to another probe."),
    "too_many_probes": _("A tree holds at most %(limit)d probes. Make another tree of a part of it."),
    "too_far_down": _("At most %(limit)d probes stand one below the other. Move it nearer to the first probe."),
    "root_rescue": _("The first probe can't be a rescue: there is nothing to rescue yet."),
    "same_level_of_what": _("Only a check that follows another probe can keep its level."),
    "changed_since": _("Somebody changed the same since, so it can't be undone. Look at it as it is now."),
    # values
    "no_such_field": _("There is no such field here."),
    "no_aim": _("A probe asks for one thing at least. Choose another aim first."),
    "no_words": _("It needs words in one language at least."),
    "no_letter": _("Write it with letters or digits: nobody can read this."),
    "too_long": _("That is too long: at most %(limit)d characters."),
    "too_many_languages": _("At most %(limit)d languages."),
    "too_many_signals": _("At most %(limit)d lines."),
    "anchors_without_aim": _("This probe doesn't ask for that aim any more, so there is nothing to anchor."),
    "bad_language": _("%(tag)s is no language tag. Write one such as en, zh-Hans or pt-BR."),
    "not_choice": _("That is none of the choices."),
    "not_integer": _("Write a whole number from %(low)d to %(high)d."),
}
# What isn't the person's slip, but the draft being different by now.
OVERTAKEN: Final = frozenset({"no_such_probe", "no_such_place", "changed_since", "anchors_without_aim"})


class Refusal(Refused):
    """An edit that can't be done. `overtaken`: because the draft has changed since the page was drawn."""

    def __init__(self, refused: EditRefused, *, field: str | None = None) -> None:
        words = WORDS.get(refused.code, _("That can't be done to this tree."))
        super().__init__(str(words) % refused.values, field=field)
        self.code = refused.code
        self.overtaken = refused.code in OVERTAKEN


class Conflict(Exception):
    """Somebody else changed the same meanwhile; nothing was changed.

    kind    "field" (both texts differ), "along" (what would go with it has changed), "place" (it was moved), "below"
            (what is to be removed has changed), "gone"
    mine    what was to be written          theirs   what stands there now; of "along" as JSON, {field: text}
    by, at  who changed it last, and when, where that is known
    """

    def __init__(
        self,
        kind: str,
        *,
        key: str,
        name: str = "",
        mine: str = "",
        theirs: str = "",
        by: str = "",
        at: datetime | None = None,
    ) -> None:
        super().__init__(kind)
        self.kind, self.key, self.name = kind, key, name
        self.mine, self.theirs = mine, theirs
        self.by, self.at = by, at
