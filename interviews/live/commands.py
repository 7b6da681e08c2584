"""The commands of an interview room, one typed dataclass each: what a frame may say, and nothing else.

`parse` turns a frame's name and data into one of them, or raises Refusal with the code and words for the sender. An
absent field is UNCHANGED, a null clears; an unknown field is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, NoReturn, get_type_hints
from uuid import UUID

from django.utils.translation import gettext as _

from interviews.enums import (
    Aid,
    Aim,
    Confidence,
    ConsentWord,
    Ended,
    EvidenceType,
    Outcome,
    ProbeKind,
    ReasonType,
    StatementAid,
    TreeOp,
)
from interviews.services.marking import Override
from interviews.services.refusal import Code, Refusal
from interviews.services.unchanged import UNCHANGED, Unchanged
from questionbank.limits import LANGUAGE

TEXT_LIMIT = 20_000


class BadValue(Exception):
    """A field's value is not what it should be; the words say what it should be."""


def _fail(wanted: str) -> NoReturn:
    raise BadValue(wanted)


def _uuid(value: object) -> UUID:
    if not isinstance(value, str):
        _fail(_("an id (UUID)"))
    try:
        return UUID(value)
    except ValueError:
        _fail(_("an id (UUID)"))


def _text(value: object) -> str:
    if not isinstance(value, str) or not _storable(value):
        _fail(_("text"))
    if len(value) > TEXT_LIMIT:
        raise Refusal(Code.TOO_LARGE, _("A text may have 20,000 characters; this one has %(n)d.") % {"n": len(value)})
    return value


def _storable(value: str) -> bool:
    """Whether PostgreSQL can keep it: no NUL, no half of a surrogate pair (JSON can carry both)."""
    return "\x00" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _words(value: object) -> str:
    return _text(value).strip() or _fail(_("text that is not empty"))


def _key(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not _storable(value):
        _fail(_("a name"))
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31 - 1:
        _fail(_("a whole number from 0"))
    return value


def _one_of(enum: type[StrEnum]) -> Callable[[object], StrEnum]:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in set(enum):
            _fail(_("one of %(values)s") % {"values": ", ".join(enum)})
        return enum(value)

    return read


def _ratings(value: object) -> dict[str, int | None]:
    """{aim: 0-4 or null}; an aim that is not named stays as it is."""
    if not isinstance(value, dict):
        _fail(_("ratings by aim, 0 to 4"))
    for aim, rating in value.items():
        whole = isinstance(rating, int) and not isinstance(rating, bool) and 0 <= rating <= 4
        if aim not in set(Aim) or not (rating is None or whole):
            _fail(_("ratings by aim (depth, why, hands_on), 0 to 4"))
    return value


def _override(value: object) -> Override:
    if not isinstance(value, dict) or set(value) != {"floor", "ceiling", "reason"}:
        _fail(_("floor, ceiling (or null) and reason"))
    ceiling = None if value["ceiling"] is None else _whole(value["ceiling"])
    floor = _whole(value["floor"])
    if floor > 99 or (ceiling is not None and not floor < ceiling <= 99):
        _fail(_("a floor below the ceiling, both at most 99"))
    return Override(floor, ceiling, _words(value["reason"]))


def _aims(value: object) -> tuple[Aim, ...]:
    """A list of aims, at least one, in the order that aims have."""
    if (
        not isinstance(value, list)
        or not value
        or any(not isinstance(aim, str) or aim not in set(Aim) for aim in value)
    ):
        _fail(_("a list of aims (depth, why, hands_on), at least one"))
    return tuple(aim for aim in Aim if aim in value)


_LANGUAGE = re.compile(LANGUAGE)


def _tag(value: object) -> str:
    if not isinstance(value, str) or len(value) > 16 or not _LANGUAGE.fullmatch(value):
        _fail(_("a language tag such as en or zh-Hans"))
    return value


@dataclass(frozen=True, slots=True)
class Read:
    """How a field's value is read from JSON, and whether null clears it."""

    value: Callable[[object], Any]
    null: bool = False


Id = Annotated[UUID, Read(_uuid)]
Whole = Annotated[int, Read(_whole)]
Key = Annotated[str, Read(_key)]
Words = Annotated[str, Read(_words)]
Kind = Annotated[ProbeKind, Read(_one_of(ProbeKind))]
Tag = Annotated[str | Unchanged, Read(_tag)]


@dataclass(frozen=True, slots=True)
class InterviewStart:
    """`consent` "heard": the lead told the candidate what is recorded, and they accepted it aloud."""

    consent: Annotated[ConsentWord | Unchanged, Read(_one_of(ConsentWord))] = UNCHANGED


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
    seat: Id


@dataclass(frozen=True, slots=True)
class LeadTake:
    pass


@dataclass(frozen=True, slots=True)
class ProbeAsk:
    """`probe` is "<tree key>/<probe key>"."""

    probe: Key


@dataclass(frozen=True, slots=True)
class ProbeRetract:
    asked: Id


@dataclass(frozen=True, slots=True)
class ProbeAdhoc:
    """A question of the lead's own, asked at once below `parent`, "<tree key>/<probe key>".

    Its name from then on is "<tree key>/<the command's id>".
    """

    text: Words
    parent: Key
    kind: Kind
    aims: Annotated[tuple[Aim, ...], Read(_aims)]
    language: Tag = UNCHANGED


@dataclass(frozen=True, slots=True)
class TreeEdit:
    """For this interview only. `text` needs probe and text; `add` parent, kind, aims and text; `move` probe."""

    tree: Key
    op: Annotated[TreeOp, Read(_one_of(TreeOp))]
    probe: Annotated[str | Unchanged, Read(_key)] = UNCHANGED
    parent: Annotated[str | Unchanged, Read(_key)] = UNCHANGED
    after: Annotated[str | Unchanged | None, Read(_key, null=True)] = UNCHANGED
    kind: Annotated[ProbeKind | Unchanged, Read(_one_of(ProbeKind))] = UNCHANGED
    aims: Annotated[tuple[Aim, ...] | Unchanged, Read(_aims)] = UNCHANGED
    text: Annotated[str | Unchanged, Read(_words)] = UNCHANGED
    language: Tag = UNCHANGED


@dataclass(frozen=True, slots=True)
class PromptShare:
    """Shows an asked probe's prompt, or words of the lead's own, to the candidate: exactly one of the two."""

    asked: Annotated[UUID | Unchanged, Read(_uuid)] = UNCHANGED
    text: Annotated[str | Unchanged, Read(_words)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class PromptUnshare:
    pass


@dataclass(frozen=True, slots=True)
class CandidateAdmit:
    pass


@dataclass(frozen=True, slots=True)
class MarkSet:
    asked: Id
    version: Whole
    outcome: Annotated[Outcome | Unchanged | None, Read(_one_of(Outcome), null=True)] = UNCHANGED
    aid: Annotated[Aid | Unchanged | None, Read(_one_of(Aid), null=True)] = UNCHANGED
    ratings: Annotated[dict[str, int | None] | Unchanged, Read(_ratings)] = UNCHANGED
    confidence: Annotated[Confidence | Unchanged | None, Read(_one_of(Confidence), null=True)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class BoundarySet:
    """`tree` is its key; `probe` the one it ended at."""

    tree: Key
    version: Whole
    ended: Annotated[Ended | Unchanged | None, Read(_one_of(Ended), null=True)] = UNCHANGED
    probe: Annotated[str | Unchanged, Read(_key)] = UNCHANGED
    override: Annotated[Override | Unchanged | None, Read(_override, null=True)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class EvidenceAdd:
    asked: Id
    type: Annotated[EvidenceType, Read(_one_of(EvidenceType))]
    aid: Annotated[StatementAid, Read(_one_of(StatementAid))]
    detail: Words


@dataclass(frozen=True, slots=True)
class EvidenceEdit:
    evidence: Id
    version: Whole
    type: Annotated[EvidenceType | Unchanged, Read(_one_of(EvidenceType))] = UNCHANGED
    aid: Annotated[StatementAid | Unchanged, Read(_one_of(StatementAid))] = UNCHANGED
    detail: Annotated[str | Unchanged, Read(_words)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class EvidenceRemove:
    evidence: Id
    version: Whole


@dataclass(frozen=True, slots=True)
class ReasonAdd:
    asked: Id
    type: Annotated[ReasonType, Read(_one_of(ReasonType))]
    aid: Annotated[StatementAid, Read(_one_of(StatementAid))]
    detail: Words


@dataclass(frozen=True, slots=True)
class ReasonEdit:
    reason: Id
    version: Whole
    type: Annotated[ReasonType | Unchanged, Read(_one_of(ReasonType))] = UNCHANGED
    aid: Annotated[StatementAid | Unchanged, Read(_one_of(StatementAid))] = UNCHANGED
    detail: Annotated[str | Unchanged, Read(_words)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class ReasonRemove:
    reason: Id
    version: Whole


@dataclass(frozen=True, slots=True)
class NoteSet:
    """`asked` absent or null: the note on the whole interview."""

    text: Annotated[str, Read(_text)]
    version: Whole
    asked: Annotated[UUID | Unchanged | None, Read(_uuid, null=True)] = UNCHANGED


COMMANDS: dict[str, type[Any]] = {
    "interview.start": InterviewStart,
    "interview.pause": InterviewPause,
    "interview.resume": InterviewResume,
    "interview.end": InterviewEnd,
    "lead.hand_over": LeadHandOver,
    "lead.take": LeadTake,
    "probe.ask": ProbeAsk,
    "probe.adhoc": ProbeAdhoc,
    "probe.retract": ProbeRetract,
    "tree.edit": TreeEdit,
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
    known = readers(name)
    for name_given in data:
        if name_given not in known:
            raise Refusal(
                Code.BAD_FIELD, _("%(command)s has no field %(field)s.") % {"command": name, "field": name_given[:60]}
            )
    needed = {spec.name for spec in fields(kind) if spec.default is MISSING}
    if missing := sorted(needed - set(data)):
        raise Refusal(
            Code.BAD_FIELD, _("%(command)s needs the field %(field)s.") % {"command": name, "field": missing[0]}
        )
    values: dict[str, Any] = {}
    for name_given, value in data.items():
        reader = known[name_given]
        try:
            values[name_given] = None if value is None and reader.null else reader.value(value)
        except BadValue as wanted:
            raise Refusal(
                Code.BAD_FIELD, _("%(field)s must be %(wanted)s.") % {"field": name_given, "wanted": wanted}
            ) from None
    return kind(**values)


@cache
def readers(name: str) -> dict[str, Read]:
    """Return {field: how it is read} of a command."""
    hints = get_type_hints(COMMANDS[name], include_extras=True)
    return {name: next(item for item in hint.__metadata__ if isinstance(item, Read)) for name, hint in hints.items()}


def digest(name: str, data: dict[str, Any]) -> str:
    """Return the SHA-256 of what a command says, by which a repeat is told from a re-used id."""
    said = json.dumps([name, data], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()
