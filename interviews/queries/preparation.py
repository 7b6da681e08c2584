"""What an interviewer reads in the two minutes before: who comes, what they claim, who asks what, their own trees."""

from __future__ import annotations

from dataclasses import dataclass

from interviews.enums import InterviewStatus
from interviews.models import Attachment, CandidateIdentity, Interview, PreparationNote, Seat
from interviews.queries.hiring import claims_of
from interviews.queries.interviews import InterviewPage, Pinned
from interviews.queries.own_trees import edited, edits_of
from interviews.queries.pinned import ProbeSays, Texts, TreeSays, tree_says
from interviews.queries.reach import PREPARING
from interviews.queries.repeats import opened_before
from people.fields import words_in


@dataclass(frozen=True, slots=True)
class Words:
    text: str
    lang: str


@dataclass(slots=True)
class ProbeToAsk:
    """A probe as one reads it beforehand. `depth`: how far below the root it stands, for drawing."""

    id: str
    level: int
    depth: int
    kind: str
    aims: tuple[str, ...]
    trial: bool
    prompt: Words
    heard: Words | None
    on_outcomes: tuple[str, ...]
    signals: dict[str, list[Words]]
    anchors: dict[str, list[tuple[int, Words]]]


@dataclass(slots=True)
class TreeToAsk:
    tree: Pinned
    mine: bool
    opened: bool
    probes: list[ProbeToAsk]


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody prepared for themselves. `version` 0: nothing yet. `open`: it may still be written."""

    text: str
    version: int
    open: bool


@dataclass(slots=True)
class Preparation:
    """`opened_before`: titles of trees that other interviews opened; nothing of depth or outcome (no-repeat guard).
    `note`: what the reader wrote for themselves; None where they have no seat that prepares.
    """

    page: InterviewPage
    identity: CandidateIdentity | None
    claims: list[str]
    attachments: list[Attachment]
    mine: list[TreeToAsk]
    others: list[TreeToAsk]
    opened_before: list[Words]
    note: Note | None


def preparation(page: InterviewPage) -> Preparation:
    """Read everything for one seat (or a manager, to whom every tree is another's). Three queries with trees known."""
    interview = page.interview
    opened = opened_before(interview)
    edits = edits_of(interview)
    trees = [
        TreeToAsk(
            tree=tree,
            mine=tree.asker is not None and page.mine is not None and tree.asker.pk == page.mine.pk,
            opened=tree.key in opened,
            probes=_to_read(edited(tree_says(tree.pinned.version_id), edits)),
        )
        for tree in page.trees
    ]
    return Preparation(
        page=page,
        identity=getattr(interview.application.candidate, "identity", None),
        claims=claims_of(interview.application),
        attachments=list(interview.application.attachments.all()),
        mine=[tree for tree in trees if tree.mine],
        others=[tree for tree in trees if not tree.mine],
        opened_before=[_words(title) for title in opened.values()],
        note=own_note(page),
    )


def own_note(page: InterviewPage) -> Note | None:
    """The reader's own note, for their own page; nobody else's is ever read."""
    seat = page.mine
    if seat is None or seat.role not in PREPARING:
        return None
    row = PreparationNote.objects.written_by(seat).select_related("text").first()
    return Note((row.text.body or "") if row else "", row.version if row else 0, may_prepare(seat, page.interview))


def may_prepare(seat: Seat, interview: Interview) -> bool:
    """Until it begins: from then on notes are the room's, and count."""
    return interview.status == InterviewStatus.SCHEDULED and seat.removed_at is None and seat.role in PREPARING


def _to_read(says: TreeSays) -> list[ProbeToAsk]:
    """The probes as one would read them aloud: each before its follow-ups."""
    depth: dict[str, int] = {}
    for probe in says.probes:
        depth[probe.id] = depth[probe.parent] + 1 if probe.parent else 0
    return [_probe(probe, depth[probe.id]) for probe in says.probes]


def _probe(probe: ProbeSays, depth: int) -> ProbeToAsk:
    anchors: dict[str, list[tuple[int, Words]]] = {aim: [] for aim in probe.aims}
    for aim, rating, texts in probe.anchors:
        anchors.setdefault(aim, []).append((rating, _words(texts)))
    return ProbeToAsk(
        id=probe.id,
        level=probe.level,
        depth=depth,
        kind=probe.kind,
        aims=probe.aims,
        trial=not probe.scored,
        prompt=_words(probe.prompt),
        heard=_words(probe.heard) if probe.heard else None,
        on_outcomes=probe.outcomes,
        signals={kind: [_words(texts) for texts in said] for kind, said in probe.signals.items()},
        anchors=anchors,
    )


def _words(texts: Texts) -> Words:
    return Words(*words_in(texts))
