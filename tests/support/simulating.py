"""Playing scripts in tests: the example of the manual, and the demo's people and bank where a script needs them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from people.models import Person
from scoring.demo.people import prepare_people
from scoring.demo.prepare import prepare_bank
from scoring.management.commands.simulate import places
from scoring.simulation.outcome import Outcome
from scoring.simulation.play import Stage, play
from scoring.simulation.reading import read
from scoring.simulation.script import Script
from tests.cast import PASSWORD
from tests.support.web import Web

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "simulation.md"


def example() -> bytes:
    """The script in docs/simulation.md."""
    found = re.search(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1].encode()


def script(text: str | bytes, file: str = "test.yaml") -> Script:
    return read(text.encode() if isinstance(text, str) else text, file=file)


def demo_people_and_bank() -> dict[str, Person]:
    """What the manual's example stands on: the demo's people, with the password of all tests, and the starter bank."""
    people = prepare_people(PASSWORD)
    prepare_bank(by=people["curator"])
    return people


def stage(web: Web, **options: Any) -> Stage:
    return Stage(site=web.url, places=places(), password=PASSWORD, **{"patience": 60.0, **options})


def played(script: Script, stage: Stage) -> Outcome:
    return asyncio.run(play(script, stage))
