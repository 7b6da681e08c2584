"""Every key of the live room that a person can move, by its default letter, with what it presses.

A template draws a key by `{% key "A" %}` (people.keys); tests/interviews/test_keys.py finds one that is missing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import printable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

CAPS = frozenset(printable.strip())
"""What one press of a key can write on any keyboard: ASCII without blanks."""


@dataclass(frozen=True, slots=True)
class Group:
    """Keys that stand together. `after`: the key that opens them ("" = always heard), where letters are their own."""

    title: str | Promise
    keys: Mapping[str, str | Promise]
    after: str = ""


GROUPS = (
    Group(
        _("Outcome"),
        {
            "A": _("Sustained"),
            "S": _("Partial"),
            "D": _("Recited"),
            "F": _("Not sustained"),
            "G": _("Not judged"),
        },
    ),
    Group(_("Help given"), {"Z": _("Unaided"), "X": _("Clarified"), "C": _("Hinted"), "V": _("Told")}),
    Group(
        _("Rating"),
        {
            "0": _("Rate 0"),
            "1": _("Rate 1"),
            "2": _("Rate 2"),
            "3": _("Rate 3"),
            "4": _("Rate 4"),
            "[": _("Aim before"),
            "]": _("Next aim"),
        },
    ),
    Group(
        _("Writing"),
        {"N": _("Notes"), "E": _("Evidence and reasons"), "B": _("Boundary"), "R": _("Still ended")},
    ),
    Group(
        _("After Boundary: why it ended"),
        {
            "B N": _("No answer"),
            "B W": _("Wrong"),
            "B R": _("Only the textbook"),
            "B D": _("Declined"),
            "B T": _("Time ran out"),
            "B M": _("Moved on"),
            "B P": _("Top of the tree"),
            "B X": _("Not expected"),
        },
        after="B",
    ),
    Group(
        _("Questions"),
        {
            "Y": _("First follow-up"),
            "U": _("Second follow-up"),
            "I": _("Third follow-up"),
            "O": _("Fourth follow-up"),
            "P": _("Fifth follow-up"),
            "H": _("Hint"),
            "K": pgettext_lazy("earlier question", "Back"),
            "J": _("On"),
            "L": _("Share with candidate"),
            "+": _("Own question"),
            "Q": _("Undo"),
        },
    ),
    Group(
        _("Two devices"),
        {"M": _("Keep mine"), "T": _("Take the saved one")},
    ),
    Group(
        _("Room"),
        {
            # Two keys: who is handed the lead while lowering a hand must not give it away by the same press.
            ",": _("Raise or lower a hand"),
            ";": _("Hand over the lead"),
            "/": _("Chat"),
            "W": _("What is left"),
            ".": _("Say the time"),
            "?": _("Keys"),
        },
    ),
)


def all_keys() -> Iterator[tuple[Group, str]]:
    """Every key with its group."""
    for group in GROUPS:
        for key in group.keys:
            yield group, key


def clashes(letters: Mapping[str, str], before: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return {key: another key that has its letter}, for a choice of all letters {key: letter}.

    Of two keys the one is named that is another than `before` ({key: letter}); where both or none are, the later one.
    """
    moved = {key for key in letters if before is not None and letters[key].upper() != before[key].upper()}
    heard: dict[tuple[str, str], str] = {}
    found: dict[str, str] = {}
    for group, key in all_keys():
        place = (group.after, letters[key].upper())
        other = heard.setdefault(place, key)
        if other == key:
            continue
        if other in moved and key not in moved:
            found[other], heard[place] = key, key
        else:
            found[key] = other
    return found
