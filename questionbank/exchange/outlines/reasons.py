"""Why something found no place, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from questionbank.exchange.outlines.draft import Why

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

REASONS: Final[dict[Why, _StrPromise]] = {
    Why.REMARK: _("Stands under no question and doesn't ask."),
    Why.HEADING: _("A heading without a question below it."),
    Why.LINK: _("Only a link elsewhere."),
    Why.COMMENT: _("A comment of the outline."),
    Why.NO_QUESTION: _("There is no question that it belongs to."),
    Why.NO_COLUMN: _("The table has no question column."),
    Why.PARENT_UNKNOWN: _("The row it follows is unknown or has no place itself."),
    Why.CIRCLE: _("The rows follow each other in a circle."),
    Why.LEVEL: _("Its level is no number, or skips one."),
    Why.TOO_DEEP: _("Too many questions stand one below the other."),
    Why.TOO_LONG: _("The rest of a text that is too long for the bank."),
    Why.TOO_MANY: _("The tree has more questions than the bank allows."),
}
