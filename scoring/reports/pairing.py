"""Why one panel would tell more than another, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from scoring.queries.pairing import Advice
from scoring.stats.pairing import Gain, Pairing

Called = Mapping[int, str]


def sentences(advice: Advice | None, people: Called, trees: Called) -> list[str]:
    """Say what would tell most, and why; always something."""
    if advice is None:
        return [_("Nothing can be told yet. It takes five closed applications, and a night.")]
    said = []
    if advice.pairing is not None:
        said += [_whom(advice.pairing, people), _why(advice.pairing, people)]
    if advice.anchor is not None:
        tree, gain = advice.anchor
        words = _(
            "Ask “%(tree)s” and let everybody mark it: of these trees it would tell most of how strict %(whose)s is,"
            " and make that about %(share)s less uncertain."
        )
        said.append(words % {"tree": trees[tree], **_gain(gain, people)})
    return said or [_("Any of them will do: one more interview would tell little of how strict these people are.")]


def _whom(found: Pairing, people: Called) -> str:
    return _("Seat %(who)s beside %(beside)s.") % {
        "who": _named([found.who], people),
        "beside": _named(found.beside, people),
    }


def _why(found: Pairing, people: Called) -> str:
    words = {"who": _named([found.who], people), **_gain(found.gain, people)}
    if found.joins:
        return (
            _(
                "So far nothing tells how strict %(who)s is from how strict the others are: what they marked has"
                " nothing in common that could. One interview together changes that."
            )
            % words
        )
    if not found.known:
        return (
            _("No closed interview with %(who)s as interviewer tells how strict they are. Marking together does.")
            % words
        )
    if found.gain.who == found.who:
        return (
            _(
                "Of everybody who could sit here, least is known of how strict %(who)s is; one interview together makes"
                " that about %(share)s less uncertain."
            )
            % words
        )
    return (
        _(
            "Least is known of how strict %(whose)s is; the marks of %(who)s on the same answers would make that about"
            " %(share)s less uncertain."
        )
        % words
    )


def _gain(gain: Gain, people: Called) -> dict[str, str]:
    return {"whose": _named([gain.who], people), "share": f"{number_format(round(100 * gain.share))}%"}


def _named(names: Iterable[str], people: Called) -> str:
    return get_text_list([people[int(name)] for name in names], _("and"))
