"""The commands of an interview room, one typed dataclass each: what a frame may say, and nothing else.

`parse` turns a frame's name and data into one of them, or raises Refusal with the code and words for the sender. An
absent field is UNCHANGED, a null clears; an unknown field is refused.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Annotated, Any, get_type_hints
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
from interviews.live.reading import (
    BadValue,
    Id,
    Key,
    Kind,
    Read,
    Tag,
    Whole,
    Words,
    one_of,
    read_aims,
    read_id,
    read_key,
    read_override,
    read_ratings,
    read_text,
    read_words,
)
from interviews.services.marking import Override
from interviews.services.refusal import Code, Refusal
from interviews.services.unchanged import UNCHANGED, Unchanged


@dataclass(frozen=True, slots=True)
class InterviewStart:
    """`consent` "heard": the lead told the candidate what is recorded, and they accepted it aloud."""

    consent: Annotated[ConsentWord | Unchanged, Read(one_of(ConsentWord))] = UNCHANGED


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
class InterviewReopen:
    reason: Words


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
    aims: Annotated[tuple[Aim, ...], Read(read_aims)]
    language: Tag = UNCHANGED


@dataclass(frozen=True, slots=True)
class TreeEdit:
    """For this interview only. `text` needs probe and text; `add` parent, kind, aims and text; `move` probe."""

    tree: Key
    op: Annotated[TreeOp, Read(one_of(TreeOp))]
    probe: Annotated[str | Unchanged, Read(read_key)] = UNCHANGED
    parent: Annotated[str | Unchanged, Read(read_key)] = UNCHANGED
    after: Annotated[str | Unchanged | None, Read(read_key, null=True)] = UNCHANGED
    kind: Annotated[ProbeKind | Unchanged, Read(one_of(ProbeKind))] = UNCHANGED
    aims: Annotated[tuple[Aim, ...] | Unchanged, Read(read_aims)] = UNCHANGED
    text: Annotated[str | Unchanged, Read(read_words)] = UNCHANGED
    language: Tag = UNCHANGED


@dataclass(frozen=True, slots=True)
class PromptShare:
    """Shows an asked probe's prompt, or words of the lead's own, to the candidate: exactly one of the two."""

    asked: Annotated[UUID | Unchanged, Read(read_id)] = UNCHANGED
    text: Annotated[str | Unchanged, Read(read_words)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class PromptUnshare:
    pass


@dataclass(frozen=True, slots=True)
class CandidateAdmit:
    pass


@dataclass(frozen=True, slots=True)
class HandRaise:
    """`probe`, if it is said, is the one that its owner would ask: "<tree key>/<probe key>"."""

    probe: Annotated[str | Unchanged, Read(read_key)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class HandLower:
    pass


@dataclass(frozen=True, slots=True)
class ChatPost:
    text: Words


@dataclass(frozen=True, slots=True)
class MarkSet:
    asked: Id
    version: Whole
    outcome: Annotated[Outcome | Unchanged | None, Read(one_of(Outcome), null=True)] = UNCHANGED
    aid: Annotated[Aid | Unchanged | None, Read(one_of(Aid), null=True)] = UNCHANGED
    ratings: Annotated[dict[str, int | None] | Unchanged, Read(read_ratings)] = UNCHANGED
    confidence: Annotated[Confidence | Unchanged | None, Read(one_of(Confidence), null=True)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class BoundarySet:
    """`tree` is its key; `probe` the one it ended at."""

    tree: Key
    version: Whole
    ended: Annotated[Ended | Unchanged | None, Read(one_of(Ended), null=True)] = UNCHANGED
    probe: Annotated[str | Unchanged, Read(read_key)] = UNCHANGED
    override: Annotated[Override | Unchanged | None, Read(read_override, null=True)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class EvidenceAdd:
    asked: Id
    type: Annotated[EvidenceType, Read(one_of(EvidenceType))]
    aid: Annotated[StatementAid, Read(one_of(StatementAid))]
    detail: Words


@dataclass(frozen=True, slots=True)
class EvidenceEdit:
    evidence: Id
    version: Whole
    type: Annotated[EvidenceType | Unchanged, Read(one_of(EvidenceType))] = UNCHANGED
    aid: Annotated[StatementAid | Unchanged, Read(one_of(StatementAid))] = UNCHANGED
    detail: Annotated[str | Unchanged, Read(read_words)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class EvidenceRemove:
    evidence: Id
    version: Whole


@dataclass(frozen=True, slots=True)
class ReasonAdd:
    asked: Id
    type: Annotated[ReasonType, Read(one_of(ReasonType))]
    aid: Annotated[StatementAid, Read(one_of(StatementAid))]
    detail: Words


@dataclass(frozen=True, slots=True)
class ReasonEdit:
    reason: Id
    version: Whole
    type: Annotated[ReasonType | Unchanged, Read(one_of(ReasonType))] = UNCHANGED
    aid: Annotated[StatementAid | Unchanged, Read(one_of(StatementAid))] = UNCHANGED
    detail: Annotated[str | Unchanged, Read(read_words)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class ReasonRemove:
    reason: Id
    version: Whole


@dataclass(frozen=True, slots=True)
class NoteSet:
    """`asked` absent or null: the note on the whole interview."""

    text: Annotated[str, Read(read_text)]
    version: Whole
    asked: Annotated[UUID | Unchanged | None, Read(read_id, null=True)] = UNCHANGED


COMMANDS: dict[str, type[Any]] = {
    "interview.start": InterviewStart,
    "interview.pause": InterviewPause,
    "interview.resume": InterviewResume,
    "interview.end": InterviewEnd,
    "interview.reopen": InterviewReopen,
    "lead.hand_over": LeadHandOver,
    "lead.take": LeadTake,
    "probe.ask": ProbeAsk,
    "probe.adhoc": ProbeAdhoc,
    "probe.retract": ProbeRetract,
    "tree.edit": TreeEdit,
    "prompt.share": PromptShare,
    "prompt.unshare": PromptUnshare,
    "candidate.admit": CandidateAdmit,
    "hand.raise": HandRaise,
    "hand.lower": HandLower,
    "chat.post": ChatPost,
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
    return read(kind, name, data)


def read(kind: type[Any], name: str, data: object) -> Any:
    """Return the dataclass that a command of any kind of room is read as. Raises Refusal bad_field or too_large."""
    if not isinstance(data, dict):
        raise Refusal(Code.BAD_FIELD, _("A command's data is an object."))
    known = readers_of(kind)  # type: ignore[arg-type]
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


def readers(name: str) -> dict[str, Read]:
    """Return {field: how it is read} of a command."""
    return readers_of(COMMANDS[name])  # type: ignore[arg-type]


@cache
def readers_of(kind: type[Any]) -> dict[str, Read]:
    """Return {field: how it is read} of a command's dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: next(item for item in hint.__metadata__ if isinstance(item, Read)) for name, hint in hints.items()}


def digest(name: str, data: dict[str, Any]) -> str:
    """Return the SHA-256 of what a command says, by which a repeat is told from a re-used id."""
    said = json.dumps([name, data], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()
