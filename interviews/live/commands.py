"""The commands of an interview room, one typed dataclass each: what a frame may say, and nothing else.

`parse` turns a frame's name and data into one of them, or raises Refusal with the code and words for the sender. An
absent field is UNCHANGED, a null clears; an unknown field is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from interviews.enums import Aid, Aim, Confidence, Ended, EvidenceType, Outcome, ReasonType, StatementAid
from interviews.services.marking import Override
from interviews.services.refusal import Code, Refusal
from interviews.services.unchanged import UNCHANGED, Unchanged

TEXT_LIMIT = 20_000


class BadValue(Exception):
    """A field's value is not what it should be; the words say what it should be."""


def _uuid(value: object) -> UUID:
    try:
        return UUID(value) if isinstance(value, str) else _fail(_("an id (UUID)"))
    except ValueError:
        return _fail(_("an id (UUID)"))


def _fail(wanted: str) -> Any:
    raise BadValue(wanted)


def _text(value: object) -> str:
    if not isinstance(value, str) or "\x00" in value:
        _fail(_("text"))
    text = str(value)
    if len(text) > TEXT_LIMIT:
        raise Refusal(Code.TOO_LARGE, _("A text may have 20,000 characters; this one has %(n)d.") % {"n": len(text)})
    return text


def _words(value: object) -> str:
    text = _text(value).strip()
    return text or str(_fail(_("text that is not empty")))


def _key(value: object) -> str:
    return value if isinstance(value, str) and 0 < len(value) <= 200 and "\x00" not in value else str(_fail(_("a name")))


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        _fail(_("a whole number from 0"))
    return int(value)  # type: ignore[call-overload, no-any-return]


def _one_of(enum: type[StrEnum]) -> Callable[[object], StrEnum]:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in set(enum):
            _fail(_("one of %(values)s") % {"values": ", ".join(enum)})
        return enum(value)

    return read


def _ratings(value: object) -> dict[Aim, int | None]:
    """{aim: 0-4 or null}; an aim that is not named stays as it is."""
    if not isinstance(value, dict):
        _fail(_("ratings by aim, 0 to 4"))
    ratings: dict[Aim, int | None] = {}
    for aim, rating in value.items():  # type: ignore[attr-defined]
        whole = isinstance(rating, int) and not isinstance(rating, bool) and 0 <= rating <= 4
        if aim not in set(Aim) or not (rating is None or whole):
            _fail(_("ratings by aim (depth, why, hands_on), 0 to 4"))
        ratings[Aim(aim)] = rating
    return ratings


def _override(value: object) -> Override:
    wanted = _("floor, ceiling (or null) and reason")
    if not isinstance(value, dict) or set(value) != {"floor", "ceiling", "reason"}:
        _fail(wanted)
    parts: dict[str, object] = dict(value)  # type: ignore[call-overload]
    ceiling = None if parts["ceiling"] is None else _whole(parts["ceiling"])
    floor = _whole(parts["floor"])
    if floor > 99 or (ceiling is not None and not floor < ceiling <= 99):
        _fail(_("a floor below the ceiling, both at most 99"))
    return Override(floor, ceiling, _words(parts["reason"]))


def required(read: Callable[[object], Any]) -> Any:
    return field(metadata={"read": read, "null": False})


def optional(read: Callable[[object], Any], *, null: bool = True) -> Any:
    """A field that may be absent (UNCHANGED), and null where `null` allows clearing it."""
    return field(default=UNCHANGED, metadata={"read": read, "null": null})


@dataclass(frozen=True, slots=True)
class InterviewStart:
    pass


@dataclass(frozen=True, slots=True)
class InterviewPause:
    pass


@dataclass(frozen=True, slots=True)
class InterviewResume:
    pass


@dataclass(frozen=True, slots=True)
class InterviewEnd:
    pass


@dataclass(frozen=True, slots=True)
class LeadHandOver:
    seat: UUID = required(_uuid)


@dataclass(frozen=True, slots=True)
class LeadTake:
    pass


@dataclass(frozen=True, slots=True)
class ProbeAsk:
    """`probe` is "<tree key>/<probe key>"."""

    probe: str = required(_key)


@dataclass(frozen=True, slots=True)
class ProbeRetract:
    asked: UUID = required(_uuid)


@dataclass(frozen=True, slots=True)
class PromptShare:
    """Shows an asked probe's prompt, or words of the lead's own, to the candidate: exactly one of the two."""

    asked: UUID | Unchanged = optional(_uuid, null=False)
    text: str | Unchanged = optional(_words, null=False)


@dataclass(frozen=True, slots=True)
class PromptUnshare:
    pass


@dataclass(frozen=True, slots=True)
class CandidateAdmit:
    pass


@dataclass(frozen=True, slots=True)
class MarkSet:
    asked: UUID = required(_uuid)
    version: int = required(_whole)
    outcome: Outcome | None | Unchanged = optional(_one_of(Outcome))
    aid: Aid | None | Unchanged = optional(_one_of(Aid))
    ratings: dict[Aim, int | None] | Unchanged = optional(_ratings, null=False)
    confidence: Confidence | None | Unchanged = optional(_one_of(Confidence))


@dataclass(frozen=True, slots=True)
class BoundarySet:
    """`tree` is its key; `probe` the one it ended at."""

    tree: str = required(_key)
    version: int = required(_whole)
    ended: Ended | None | Unchanged = optional(_one_of(Ended))
    probe: str | Unchanged = optional(_key, null=False)
    override: Override | None | Unchanged = optional(_override)


@dataclass(frozen=True, slots=True)
class EvidenceAdd:
    asked: UUID = required(_uuid)
    type: EvidenceType = required(_one_of(EvidenceType))
    aid: StatementAid = required(_one_of(StatementAid))
    detail: str = required(_words)


@dataclass(frozen=True, slots=True)
class EvidenceEdit:
    evidence: UUID = required(_uuid)
    version: int = required(_whole)
    type: EvidenceType | Unchanged = optional(_one_of(EvidenceType), null=False)
    aid: StatementAid | Unchanged = optional(_one_of(StatementAid), null=False)
    detail: str | Unchanged = optional(_words, null=False)


@dataclass(frozen=True, slots=True)
class EvidenceRemove:
    evidence: UUID = required(_uuid)
    version: int = required(_whole)


@dataclass(frozen=True, slots=True)
class ReasonAdd:
    asked: UUID = required(_uuid)
    type: ReasonType = required(_one_of(ReasonType))
    aid: StatementAid = required(_one_of(StatementAid))
    detail: str = required(_words)


@dataclass(frozen=True, slots=True)
class ReasonEdit:
    reason: UUID = required(_uuid)
    version: int = required(_whole)
    type: ReasonType | Unchanged = optional(_one_of(ReasonType), null=False)
    aid: StatementAid | Unchanged = optional(_one_of(StatementAid), null=False)
    detail: str | Unchanged = optional(_words, null=False)


@dataclass(frozen=True, slots=True)
class ReasonRemove:
    reason: UUID = required(_uuid)
    version: int = required(_whole)


@dataclass(frozen=True, slots=True)
class NoteSet:
    """`asked` absent or null: the note on the whole interview."""

    text: str = required(_text)
    version: int = required(_whole)
    asked: UUID | None | Unchanged = optional(_uuid)


COMMANDS: dict[str, type[Any]] = {
    "interview.start": InterviewStart,
    "interview.pause": InterviewPause,
    "interview.resume": InterviewResume,
    "interview.end": InterviewEnd,
    "lead.hand_over": LeadHandOver,
    "lead.take": LeadTake,
    "probe.ask": ProbeAsk,
    "probe.retract": ProbeRetract,
    "prompt.share": PromptShare,
    "prompt.unshare": PromptUnshare,
    "candidate.admit": CandidateAdmit,
    "mark.set": MarkSet,
    "boundary.set": BoundarySet,
    "evidence.add": EvidenceAdd,
    "evidence.edit": EvidenceEdit,
    "evidence.remove": EvidenceRemove,
    "reason.add": ReasonAdd,
    "reason.edit": ReasonEdit,
    "reason.remove": ReasonRemove,
    "note.set": NoteSet,
}


def parse(name: str, data: object) -> Any:
    """Return the command's dataclass. Raises Refusal unknown_command, bad_field or too_large."""
    kind = COMMANDS.get(name)
    if kind is None:
        raise Refusal(Code.UNKNOWN_COMMAND, _("This room knows no command %(name)s.") % {"name": name[:60]})
    if not isinstance(data, dict):
        raise Refusal(Code.BAD_FIELD, _("A command's data is an object."))
    known = {spec.name: spec for spec in fields(kind)}
    for name_given in data:
        if name_given not in known:
            raise Refusal(
                Code.BAD_FIELD, _("%(command)s has no field %(field)s.") % {"command": name, "field": name_given[:60]}
            )
    values: dict[str, Any] = {}
    for name_known, spec in known.items():
        if name_known not in data:
            if spec.default is MISSING:
                raise Refusal(
                    Code.BAD_FIELD, _("%(command)s needs the field %(field)s.") % {"command": name, "field": name_known}
                )
            continue
        value = data[name_known]
        try:
            values[name_known] = None if value is None and spec.metadata["null"] else spec.metadata["read"](value)
        except BadValue as wanted:
            raise Refusal(
                Code.BAD_FIELD, _("%(field)s must be %(wanted)s.") % {"field": name_known, "wanted": wanted}
            ) from None
    return kind(**values)


def digest(name: str, data: dict[str, Any]) -> str:
    """Return the SHA-256 of what a command says, by which a repeat is told from a re-used id."""
    said = json.dumps([name, data], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()
