"""Playing a script against a running server, from signing in to the panel card."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.simulation import pages
from scoring.simulation.browser import Browser
from scoring.simulation.expectations import failures
from scoring.simulation.line import Watch
from scoring.simulation.outcome import Outcome, Took
from scoring.simulation.pages import CannotPlay, Made, Places
from scoring.simulation.player import ORDERING, Player, Pulse
from scoring.simulation.script import CANDIDATE, Act, Script, Step

JUDGING: Final = frozenset({"lead", "interviewer", "shadow"})
OWING: Final = frozenset({"lead", "interviewer"})


@dataclass(frozen=True, slots=True)
class Stage:
    """Where and how to play. `interview`, `link`: play in this one, "" = make one. `pace` None = the script's own.

    `patience`: seconds in which nothing at all may happen before the play is given up.
    """

    site: str
    places: Places
    password: str
    interview: str = ""
    link: str = ""
    pace: float | None = None
    patience: float = 60.0
    watch: Watch | None = None
    say: Callable[[str], None] = lambda _line: None


async def play(script: Script, stage: Stage) -> Outcome:
    """Play a script to its end and compare what came of it with what it expects. Raises CannotPlay."""
    return await _Play(script, stage).run()


class _Play:
    def __init__(self, script: Script, stage: Stage) -> None:
        self.script, self.stage = script, stage
        self.pulse = Pulse(stage.patience)
        self.players = {name: self._player(name) for name in script.people}
        if any(CANDIDATE in step.acts for step in script.steps):
            self.players[CANDIDATE] = self._player(CANDIDATE)
        self.manager = Browser(stage.site, patience=stage.patience)
        self.made = Made(stage.interview, "", stage.link)

    def _player(self, name: str) -> Player:
        stage = self.stage
        return Player(name, site=stage.site, pulse=self.pulse, seat_of=self._seat_of, watch=stage.watch)

    def _seat_of(self, name: str) -> str | None:
        player = self.players.get(name)
        return player.line.seat if player is not None and player.has_line else None

    @property
    def staff(self) -> list[Player]:
        return [player for name, player in self.players.items() if name != CANDIDATE]

    @property
    def ends(self) -> bool:
        return any(act.name == "end" for step in self.script.steps for acts in step.acts.values() for act in acts)

    async def run(self) -> Outcome:
        try:
            await self._sign_in()
            await self._find_interview()
            self.stage.say(f"interview {self.made.code}")
            socket = pages.at(self.stage.places.socket, self.made.code)
            await asyncio.gather(*(player.come_in(socket) for player in self.staff))
            await self._steps()
            await asyncio.gather(*(player.finish() for player in self.players.values() if player.has_line))
            if self.ends:
                await asyncio.gather(*(player.compare() for player in self.staff if player.role in JUDGING))
            await self._cards()
            panel = await self._panel() if self.script.cards and self.script.manager else {}
        finally:
            await asyncio.gather(*(player.leave() for player in self.players.values()))
        outcome = self._outcome(panel)
        outcome.failures = failures(self.script, outcome)
        return outcome

    # --- before

    async def _sign_in(self) -> None:
        async def one(browser: Browser, email: str) -> str:
            return await asyncio.to_thread(
                pages.sign_in, browser, self.stage.places, email=email, password=self.stage.password
            )

        async def person(player: Player) -> None:
            player.real_name = await one(player.browser, self.script.people[player.name])

        await asyncio.gather(*(person(player) for player in self.staff))
        if self.script.manager:
            await one(self.manager, self.script.manager)

    async def _find_interview(self) -> None:
        if self.stage.interview:
            reader = self.manager if self.script.manager else self.staff[0].browser
            found = await asyncio.to_thread(pages.find_interview, reader, self.stage.places, self.stage.interview)
            self.made = Made(found.code, found.application, self.stage.link)
            return
        if self.script.making is None:
            raise CannotPlay(f"{self.script.file}: there is no `interview:` to make; name one with --interview CODE")
        names = {player.name: player.real_name for player in self.staff}
        self.made = await asyncio.to_thread(
            pages.make_interview,
            self.manager,
            self.stage.places,
            self.script.making,
            names=names,
            file=self.script.file,
        )

    # --- the interview

    async def _steps(self) -> None:
        pace = self.script.pace if self.stage.pace is None else self.stage.pace
        begun = time.monotonic()
        for step in self.script.steps:
            if step.at is not None and pace > 0:
                await asyncio.sleep(max(0.0, begun + step.at / pace - time.monotonic()))
                self.pulse.beat()
            await self._step(step)

    async def _step(self, step: Step) -> None:
        """Let everyone of a step act at once, each in the order of their own acts."""
        where = f"{self.script.file}:{step.line}"
        await asyncio.gather(*(self._acts(self.players[who], acts, where) for who, acts in step.acts.items()))
        ordering = [who for who, acts in step.acts.items() if any(act.name in ORDERING for act in acts)]
        head = max((self.players[who].acked("panel") for who in ordering), default=0)
        await asyncio.gather(*(player.hear_until("panel", head) for player in self.staff))

    async def _acts(self, player: Player, acts: Sequence[Act], where: str) -> None:
        for act in acts:
            if act.name == "join":
                await self._join(player)
            else:
                await player.do(act, where)

    async def _join(self, player: Player) -> None:
        """The candidate's way: link, notice, consent, then the lobby."""
        if not self.made.link:
            if not self.script.manager:
                raise CannotPlay("the candidate has no link: give it with --link, or name a manager who makes one")
            link = await asyncio.to_thread(pages.new_link, self.manager, self.stage.places, self.made.code)
            self.made = Made(self.made.code, self.made.application, link)
        await asyncio.to_thread(pages.join, player.browser, self.made.link)
        if not player.has_line:
            await player.come_in(pages.at(self.stage.places.socket, self.made.code))

    # --- after

    async def _cards(self) -> None:
        for name, card in self.script.cards.items():
            player = self.players[name]
            player.card = await asyncio.to_thread(
                pages.hand_in, player.browser, self.stage.places, self.made.code, card
            )
            self.pulse.beat()
            self.stage.say(f"{name}'s card is in")

    async def _panel(self) -> dict[str, Any]:
        """Wait until the panel card counts everyone who handed in a card and is not a shadow."""
        wanted = {
            self.players[name].card["person"]["code"] for name in self.script.cards if self.players[name].role in OWING
        }
        until, pause = time.monotonic() + self.stage.patience, 0.2
        while True:
            status, panel = await asyncio.to_thread(
                pages.panel_card, self.manager, self.stage.places, self.made.application
            )
            if _counted(panel) >= wanted:
                return panel
            if time.monotonic() > until:
                state = panel.get("state", f"HTTP {status}")
                raise CannotPlay(f"no panel card of {len(wanted)} raters within {self.stage.patience:g} s: {state}")
            await asyncio.sleep(pause)
            pause = min(pause * 1.4, 2.0)

    def _outcome(self, panel: dict[str, Any]) -> Outcome:
        candidate = self.players.get(CANDIDATE)
        asked = {id: probe for player in self.staff for id, probe in player.writer.asked.items()}
        codes = {row["code"]: int(pk) for pk, row in panel.get("people", {}).items()}
        cards = {player.name: player.card["person"]["code"] for player in self.staff if player.card}
        return Outcome(
            url=self.stage.site,
            interview=self.made.code,
            application=self.made.application,
            people={name: _took(player) for name, player in self.players.items() if player.has_line},
            shared=[asked.get(id, id) for id in candidate.shared] if candidate else None,
            panel=panel,
            raters={name: codes[code] for name, code in cards.items() if code in codes},
            trees={row["key"]: int(pk) for pk, row in panel.get("trees", {}).items()},
        )


def _counted(panel: dict[str, Any]) -> set[str]:
    """The codes of the people whose cards the panel card is compiled from."""
    raters = {row["person"] for row in panel.get("content", {}).get("raters", [])}
    return {row["code"] for pk, row in panel.get("people", {}).items() if int(pk) in raters}


def _took(player: Player) -> Took:
    line, outbox = player.line, player.outbox
    return Took(
        name=player.name,
        seat=line.seat,
        role=player.role,
        accepted=outbox.acked,
        refused=outbox.refused,
        heard=line.heard,
        resent=outbox.resent,
        lines=line.lines,
        gaps=line.gaps,
        closing=line.closing["counts"] if line.closing else None,
        submitted=bool(player.card),
    )
