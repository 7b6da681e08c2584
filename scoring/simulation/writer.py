"""A scripted person's head and hand: what they heard asked, and how an act becomes commands in their outbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interviews.enums import Aid, Aim, Ended, Outcome, Role, StatementAid
from interviews.rules.endings import ending_effect
from scoring.simulation.outbox import Outbox, Refused, Row, item_of
from scoring.simulation.script import Act

BARE: Mapping[str, str] = {
    "pause": "interview.pause",
    "resume": "interview.resume",
    "end": "interview.end",
    "admit": "candidate.admit",
    "unshare": "prompt.unshare",
    "take_lead": "lead.take",
}
LEAD_NAMED = frozenset({"interview.start", "lead.hand_over", "lead.take"})
"""Events of the panel whose data names the lead from then on."""
CURRENT = "current"
"""In commands sent as they stand: the id of what is asked now."""


class NotHeard(Exception):
    """The act speaks of a question that this person has not heard asked (yet)."""

    def __init__(self, probe: str | None) -> None:
        super().__init__(probe or "anything")
        self.probe = probe


class NotThere(Exception):
    """The act speaks of a person without a seat, or of an entry that was never made."""


@dataclass(slots=True)
class Mark:
    """What this person said of an answer."""

    outcome: Outcome | None = None
    aid: Aid | None = None


@dataclass(slots=True)
class Writer:
    """`new_id` makes command ids; `seat_of` finds the seat of a person of the script."""

    outbox: Outbox
    new_id: Callable[[], str]
    seat_of: Callable[[str], str | None]
    asked: dict[str, str] = field(default_factory=dict)
    retracted: set[str] = field(default_factory=set)
    marks: dict[str, Mark] = field(default_factory=dict)
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    lead: str = ""
    seat: str = ""

    # --- hearing

    def welcome(self, seat: str, role: str) -> None:
        self.seat = seat
        if role == Role.LEAD:
            self.lead = seat

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event of any stream; one's own asks are known before."""
        name, data = event["name"], event["data"]
        if name in {"probe.ask", "probe.adhoc"} and not data.get("late"):
            self.asked.setdefault(data["asked"], data["probe"])
        elif name == "probe.retract":
            self.retracted.add(data["asked"])
        elif event["stream"] == "panel" and name in LEAD_NAMED:
            self.lead = data["lead"]
        elif event["stream"] == "mine":
            self.outbox.heard(event)
            if name == "mark.set":
                self._remember(data)

    def refused(self, refused: Refused) -> None:
        """Forget what never came to be."""
        self.asked.pop(refused.id, None)

    def _remember(self, data: Mapping[str, Any]) -> None:
        mark = self.marks.setdefault(data["asked"], Mark())
        if "outcome" in data:
            mark.outcome = Outcome(data["outcome"]) if data["outcome"] else None
        if "aid" in data:
            mark.aid = Aid(data["aid"]) if data["aid"] else None

    def latest(self, probe: str | None, *, tree: str | None = None) -> str:
        """Return the id of the latest asking of a question, of a tree, or of anything. Raises NotHeard."""
        for asked, name in reversed(self.asked.items()):
            fits = probe in {None, name} and (tree is None or name.startswith(f"{tree}/"))
            if fits and asked not in self.retracted:
                return asked
        raise NotHeard(probe)

    # --- writing

    def write(self, act: Act, now: float) -> list[Row]:
        """Queue the commands of an act and return their rows. Raises NotHeard, NotThere; then nothing is queued."""
        said = dict(act.fields)
        if act.name in BARE:
            return [self._put(BARE[act.name], {}, now)]
        write: Callable[[dict[str, Any], float], list[Row]] = getattr(self, f"_{act.name}")
        return write(said, now)

    def _put(self, name: str, data: dict[str, Any], now: float, *, id: str = "") -> Row:
        command = id or self.new_id()
        item = item_of(name, data, command)
        if item is not None and not name.endswith(".add"):
            data = {**data, "version": self.outbox.version(item)}
        return self.outbox.put(name, data, id=command, now=now, item=item)

    def _start(self, said: dict[str, Any], now: float) -> list[Row]:
        return [self._put("interview.start", said, now)]

    def _hand_over(self, said: dict[str, Any], now: float) -> list[Row]:
        seat = self.seat_of(said["to"])
        if seat is None:
            raise NotThere(said["to"])
        return [self._put("lead.hand_over", {"seat": seat}, now)]

    def _ask(self, said: dict[str, Any], now: float) -> list[Row]:
        row = self._put("probe.ask", {"probe": said["probe"]}, now)
        if self.lead == self.seat:  # anybody else is refused, and asked nothing
            self.asked[row.id] = said["probe"]
        return [row]

    def _retract(self, said: dict[str, Any], now: float) -> list[Row]:
        asked = self.latest(said["probe"])
        self.retracted.add(asked)
        return [self._put("probe.retract", {"asked": asked}, now)]

    def _share(self, said: dict[str, Any], now: float) -> list[Row]:
        data = {"text": said["text"]} if "text" in said else {"asked": self.latest(said.get("probe"))}
        return [self._put("prompt.share", data, now)]

    def _mark(self, said: dict[str, Any], now: float) -> list[Row]:
        data: dict[str, Any] = {"asked": self.latest(said.get("probe"))}
        data |= {name: said[name] for name in ("outcome", "aid", "confidence") if name in said}
        ratings = {aim.value: said[aim] for aim in Aim if aim in said}
        if ratings:
            data["ratings"] = ratings
        self._remember(data)
        return [self._put("mark.set", data, now)]

    def _boundary(self, said: dict[str, Any], now: float) -> list[Row]:
        """As the key B does: where no outcome stands on the question yet, the reason's is marked first."""
        tree = said.get("tree") or (said["probe"].partition("/")[0] if "probe" in said else None)
        if tree is None:
            tree = self.asked[self.latest(None)].partition("/")[0]
        data: dict[str, Any] = {"tree": tree}
        rows: list[Row] = []
        if "ended" in said:
            data["ended"] = said["ended"]
            rows = self._ending(data, said, tree, now)
        if "floor" in said:
            data["override"] = {"floor": said["floor"], "ceiling": said.get("ceiling"), "reason": said["reason"]}
        return [*rows, self._put("boundary.set", data, now)]

    def _ending(self, data: dict[str, Any], said: dict[str, Any], tree: str, now: float) -> list[Row]:
        if said["ended"] in {Ended.NOT_ASKED, Ended.NOT_EXPECTED}:
            return []
        try:
            asked = self.latest(said.get("probe"), tree=tree)
        except NotHeard:
            if "probe" in said:
                raise
            return []  # the server says not_asked, if that is what the script is about
        data["probe"] = self.asked[asked]
        mark = self.marks.get(asked, Mark())
        effect = ending_effect(
            Ended(said["ended"]), asked=True, outcome=mark.outcome, aid=mark.aid, optional=False, judged=0
        )
        return self._mark({"outcome": effect.outcome, "probe": data["probe"]}, now) if effect.outcome else []

    def _evidence(self, said: dict[str, Any], now: float) -> list[Row]:
        return [self._statement("evidence", said, now)]

    def _reason(self, said: dict[str, Any], now: float) -> list[Row]:
        return [self._statement("reason", said, now)]

    def _statement(self, kind: str, said: dict[str, Any], now: float) -> Row:
        data = {
            "asked": self.latest(said.get("probe")),
            "type": said["type"],
            "aid": said.get("aid", StatementAid.UNAIDED),
            "detail": said["detail"],
        }
        row = self._put(f"{kind}.add", data, now)
        if "as" in said:
            self.labels[said["as"]] = (kind, row.id)
        return row

    def _labelled(self, label: str) -> tuple[str, str]:
        if label not in self.labels:
            raise NotThere(label)
        return self.labels[label]

    def _edit(self, said: dict[str, Any], now: float) -> list[Row]:
        kind, item = self._labelled(said["of"])
        changes = {name: said[name] for name in ("aid", "detail") if name in said}
        return [self._put(f"{kind}.edit", {kind: item, **changes}, now)]

    def _remove(self, said: dict[str, Any], now: float) -> list[Row]:
        kind, item = self._labelled(said["of"])
        return [self._put(f"{kind}.remove", {kind: item}, now)]

    def _note(self, said: dict[str, Any], now: float) -> list[Row]:
        data: dict[str, Any] = {"text": said["text"]}
        if not said.get("whole"):
            data["asked"] = self.latest(said.get("probe"))
        return [self._put("note.set", data, now)]

    def _send(self, said: dict[str, Any], now: float) -> list[Row]:
        """A command as it stands, right or wrong; nothing is added, and nothing builds on it."""
        data = said.get("data", {})
        if isinstance(data, dict) and data.get("asked") == CURRENT:
            data = {**data, "asked": self.latest(None)}
        return [self.outbox.put(said["name"], data, id=self.new_id(), now=now)]
