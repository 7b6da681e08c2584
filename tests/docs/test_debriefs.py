"""docs/realtime.md says of a debrief's commands what the code does."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest

from scoring.live.debrief_commands import COMMANDS, SERVICES
from scoring.rules import debrief
from tests.docs.markdown import codes, read, rows, section

pytestmark = pytest.mark.unit


def test_every_command_of_a_debrief_has_a_row_that_agrees_with_the_code() -> None:
    told = {
        codes(name)[0]: (who, set(phases.split(", ")), set(codes(data)), stream)
        for name, who, phases, data, stream in rows(section(read("docs/realtime.md"), "Debriefs"))
    }

    assert told == {
        name: (
            debrief.COMMANDS[name].who.value,
            {phase.value for phase in debrief.COMMANDS[name].phases},
            {spec.name if spec.default is MISSING else f"{spec.name}?" for spec in fields(kind)},
            debrief.COMMANDS[name].stream,
        )
        for name, kind in COMMANDS.items()
    }
    assert set(SERVICES) == set(debrief.COMMANDS)
