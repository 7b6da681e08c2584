"""What an interviewer reads in the two minutes before: who comes, what they claim, who asks what, their own trees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Prefetch

from interviews.models import Asked, Attachment, CandidateIdentity, Interview
from interviews.queries.hiring import claims_of
from interviews.queries.interviews import InterviewPage, Pinned
from people.fields import words_in
from questionbank.enums import SignalKind
from questionbank.models import Anchor, Probe, Signal


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
    aims: list[str]
    trial: bool
    title: Words
    prompt: Words
    heard: Words | None
    on_outcomes: list[str]
    signals: dict[str, list[Words]]
    anchors: dict[str, list[tuple[int, Words]]]


@dataclass(slots=True)
class TreeToAsk:
    tree: Pinned
    mine: bool
    probes: list[ProbeToAsk]


@dataclass(slots=True)
class Preparation:
    page: InterviewPage
    identity: CandidateIdentity | None
    claims: list[str]
    attachments: list[Attachment]
    mine: list[TreeToAsk]
    others: list[TreeToAsk]
    opened_before: list[Words] = field(default_factory=list)


def preparation(page: InterviewPage) -> Preparation:
    """Read everything for one seat (or a manager, to whom every tree is another's). Ten queries, whatever the trees."""
    interview = page.interview
    probes = _probes(page)
    trees = [
        TreeToAsk(
            tree=tree,
            mine=tree.asker is not None and page.mine is not None and tree.asker.pk == page.mine.pk,
            probes=_walk(tree.key, probes.get(tree.pinned.version_id, [])),
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
        opened_before=_opened_before(interview),
    )


def _probes(page: InterviewPage) -> dict[int, list[Probe]]:
    rows = (
        Probe.objects.filter(version__in=[tree.pinned.version_id for tree in page.trees])
        .prefetch_related(
            Prefetch("signals", queryset=Signal.objects.order_by("position", "pk")),
            Prefetch("anchors", queryset=Anchor.objects.order_by("aim", "rating")),
        )
        .order_by("version_id", "position", "pk")
    )
    found: dict[int, list[Probe]] = {}
    for probe in rows:
        found.setdefault(probe.version_id, []).append(probe)
    return found


def _walk(tree: str, probes: Iterable[Probe]) -> list[ProbeToAsk]:
    """The probes as one would read them aloud: each before its follow-ups, these in their order."""
    below: dict[int | None, list[Probe]] = {}
    for probe in probes:
        below.setdefault(probe.parent_id, []).append(probe)
    ordered: list[ProbeToAsk] = []
    waiting = [(probe, 0) for probe in reversed(below.get(None, []))]
    while waiting:
        probe, depth = waiting.pop()
        ordered.append(_to_ask(tree, probe, depth))
        waiting.extend((child, depth + 1) for child in reversed(below.get(probe.pk, [])))
    return ordered


def _to_ask(tree: str, probe: Probe, depth: int) -> ProbeToAsk:
    signals: dict[str, list[Words]] = {kind.value: [] for kind in SignalKind}
    for signal in probe.signals.all():
        signals[signal.kind].append(Words(*words_in(signal.text)))
    anchors: dict[str, list[tuple[int, Words]]] = {aim: [] for aim in probe.aims}
    for anchor in probe.anchors.all():
        anchors.setdefault(anchor.aim, []).append((anchor.rating, Words(*words_in(anchor.text))))
    return ProbeToAsk(
        id=f"{tree}/{probe.key}",
        level=probe.level,
        depth=depth,
        kind=probe.kind,
        aims=list(probe.aims),
        trial=probe.scoring == "trial",
        title=Words(*words_in(probe.title)),
        prompt=Words(*words_in(probe.prompt)),
        heard=Words(*words_in(probe.heard)) if probe.heard else None,
        on_outcomes=list(probe.on_outcomes),
        signals=signals,
        anchors=anchors,
    )


def _opened_before(interview: Interview) -> list[Words]:
    """The no-repeat guard: which trees other interviews with this application opened; nothing of depth or outcome."""
    asked = (
        Asked.objects.filter(
            interview__application=interview.application_id, probe__isnull=False, retracted_at__isnull=True
        )
        .exclude(interview=interview)
        .order_by("probe__version__tree__key")
        .distinct("probe__version__tree__key")
        .select_related("probe__version")
    )
    return [Words(*words_in(row.probe.version.title)) for row in asked if row.probe]
