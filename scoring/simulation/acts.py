"""What people can do in a script, one row each, and how it is read."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass
from typing import Any, Final

from interviews.enums import (
    Aid,
    Aim,
    Confidence,
    ConsentWord,
    Ended,
    EvidenceType,
    Outcome,
    ReasonType,
    StatementAid,
)
from questionbank.exchange.fields import join
from questionbank.exchange.nodes import Listing, Mapping, Node, Scalar
from scoring.simulation.fields import ScriptFields
from scoring.simulation.script import CANDIDATE, Act

Reader = Callable[[ScriptFields, Node, str], Any]


def _choice(enum: Any) -> Reader:
    return lambda fields, node, place: fields.choice(node, place, enum)


def _probe(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.probe(node, place)


def _person(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.person(node, place)


def _key(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.key(node, place)


def _yes_no(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.boolean(node, place)


def _text(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.words(node, place, limit=20_000)


def _rating(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.integer(node, place, 0, 4)


def _level(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.integer(node, place, 0, 99)


def _anything(fields: ScriptFields, node: Node, place: str) -> Any:
    return fields.plain(node)


@dataclass(frozen=True, slots=True)
class ActKind:
    """`alone`: the field that a plain word behind the act stands for; "" = nothing may stand there.
    `bare`: it says something without any field, too.

    `candidate`: None = not the candidate's, True = only theirs, False = theirs too.
    """

    alone: str | None = None
    fields: AnyMapping[str, Reader] | None = None
    needed: tuple[str, ...] = ()
    candidate: bool | None = None
    bare: bool = False


BARE: Final = ActKind(alone="")
ACTS: Final[AnyMapping[str, ActKind]] = {
    "start": ActKind("consent", {"consent": _choice(ConsentWord)}, bare=True),
    "pause": BARE,
    "resume": BARE,
    "end": BARE,
    "admit": BARE,
    "unshare": BARE,
    "take_lead": BARE,
    "hand_over": ActKind("to", {"to": _person}, ("to",)),
    "ask": ActKind("probe", {"probe": _probe}, ("probe",)),
    "retract": ActKind("probe", {"probe": _probe}, ("probe",)),
    "share": ActKind("probe", {"probe": _probe, "text": _text}, bare=True),
    "mark": ActKind(
        None,
        {
            "probe": _probe,
            "outcome": _choice(Outcome),
            "aid": _choice(Aid),
            **dict.fromkeys(Aim, _rating),
            "confidence": _choice(Confidence),
        },
    ),
    "boundary": ActKind(
        "ended",
        {
            "ended": _choice(Ended),
            "probe": _probe,
            "tree": _key,
            "floor": _level,
            "ceiling": _level,
            "reason": _text,
        },
    ),
    "evidence": ActKind(
        None,
        {"probe": _probe, "type": _choice(EvidenceType), "aid": _choice(StatementAid), "detail": _text, "as": _key},
        ("type", "detail"),
    ),
    "reason": ActKind(
        None,
        {"probe": _probe, "type": _choice(ReasonType), "aid": _choice(StatementAid), "detail": _text, "as": _key},
        ("type", "detail"),
    ),
    "edit": ActKind(None, {"of": _key, "aid": _choice(StatementAid), "detail": _text}, ("of",)),
    "remove": ActKind("of", {"of": _key}, ("of",)),
    "note": ActKind("text", {"text": _text, "probe": _probe, "whole": _yes_no}, ("text",)),
    "send": ActKind(None, {"name": _text, "data": _anything}, ("name",), candidate=False),
    "cut": ActKind(alone="", candidate=False),
    "mend": ActKind(alone="", candidate=False),
    "join": ActKind(alone="", candidate=True),
}
FOR_CANDIDATE: Final = tuple(name for name, kind in ACTS.items() if kind.candidate is not None)


def read_acts(fields: ScriptFields, who: str, node: Node, place: str) -> tuple[Act, ...]:
    """Read what one person does in one step: one act or a list of them."""
    nodes = node.items if isinstance(node, Listing) else [node]
    found = [_read_act(fields, who, one, place) for one in nodes]
    return tuple(act for act in found if act is not None)


def _read_act(fields: ScriptFields, who: str, node: Node, place: str) -> Act | None:
    if isinstance(node, Listing) or (isinstance(node, Mapping) and len(node.items) != 1):
        fields.problem(node.line, place, "one_act")
        return None
    name, value = (node.value, None) if isinstance(node, Scalar) else next(iter(node.items.items()))
    kind = ACTS.get(name)
    if kind is None:
        fields.problem(node.line, place, "unknown_act", value=name[:60], known=", ".join(ACTS))
        return None
    if not _may(fields, who, node, place, name, kind):
        return None
    if isinstance(value, Scalar) and value.plain and not value.value:
        value = None  # `start:` with nothing behind it
    return Act(name, _said(fields, node, join(place, name), name, kind, value), node.line)


def _may(fields: ScriptFields, who: str, node: Node, place: str, name: str, kind: ActKind) -> bool:
    if who == CANDIDATE and kind.candidate is None:
        fields.problem(node.line, place, "not_candidate", value=name, known=", ".join(FOR_CANDIDATE))
        return False
    if who != CANDIDATE and kind.candidate is True:
        fields.problem(node.line, place, "only_candidate", value=name)
        return False
    return True


def _said(fields: ScriptFields, node: Node, place: str, name: str, kind: ActKind, value: Node | None) -> dict[str, Any]:
    if value is None or isinstance(value, Scalar):
        if kind.alone == "":
            if value is not None:
                fields.problem(node.line, place, "no_fields", value=name)
            return {}
        if value is None and kind.bare:
            return {}
        if value is None or kind.alone is None or kind.fields is None:
            fields.problem(node.line, place, "needs_fields", value=name)
            return {}
        return {kind.alone: kind.fields[kind.alone](fields, value, place)}
    if kind.fields is None:
        fields.problem(node.line, place, "no_fields", value=name)
        return {}
    mapping = fields.mapping(value, place, known=kind.fields, needed=kind.needed)
    if mapping is None:
        return {}
    if not mapping.items:
        fields.problem(value.line, place, "needs_fields", value=name)
    said = {
        key: kind.fields[key](fields, item, join(place, key))
        for key, item in mapping.items.items()
        if key in kind.fields
    }
    _agree(fields, mapping, place, name, said)
    return said


EXCLUSIVE: Final = {"share": ("probe", "text"), "note": ("probe", "whole"), "boundary": ("probe", "tree")}


def _agree(fields: ScriptFields, mapping: Mapping, place: str, name: str, said: AnyMapping[str, Any]) -> None:
    """What no single field can tell: fields that exclude each other, and an override that is not whole."""
    one, other = EXCLUSIVE.get(name, ("", ""))
    if one in said and other in said:
        fields.problem(mapping.line, place, "either", one=one, other=other)
    if name == "boundary":
        if {"floor", "ceiling", "reason"} & set(said):
            for key in sorted({"floor", "reason"} - set(said)):
                fields.problem(mapping.line, place, "missing", key=key)
        elif "ended" not in said:
            fields.problem(mapping.line, place, "missing", key="ended")
