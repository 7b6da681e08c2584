"""The words in which an address says who is answered what (tests/house/routes.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from tests.support.factories import Scene

# anon: nobody. kim: the candidate's browser, let in by the link. fay: has left, her session is still in her browser.
SIGNED_OUT = "anon kim fay"
IN_CHARGE = "ada mara"  # an administrator, and the manager of the position
PANEL = "ana bo dee eli"  # lead, interviewer, shadow, observer
STRANGERS = "nils cora sam"  # manager of another position, curator, interviewer without a seat
SIGNED_IN = f"{IN_CHARGE} {PANEL} {STRANGERS}"
EVERYBODY = f"{SIGNED_IN} {SIGNED_OUT}"

Fill = Callable[[Scene], dict[str, Any]]


def table(**answers: str) -> dict[str, int | str]:
    """{who: status} from `s200="ada mara", login="anon"`. Who is not named is sent to sign in."""
    found: dict[str, int | str] = dict.fromkeys(EVERYBODY.split(), "login")
    for answer, who in answers.items():
        found |= dict.fromkeys(who.split(), int(answer[1:]) if answer != "login" else answer)
    return found


def managed(status: int) -> dict[str, int | str]:
    """Pages of who is in charge: the panel is refused, and strangers learn of nothing."""
    return table(**{f"s{status}": IN_CHARGE}, s403=PANEL, s404=STRANGERS)


@dataclass(frozen=True)
class Route:
    """`answers`: {method: {who: status}}; any other method is 405. `fill`: the scene's parts in the address."""

    pattern: str
    name: str
    answers: Mapping[str, Mapping[str, int | str]]
    fill: Fill = lambda scene: {}

    def url(self, scene: Scene) -> str:
        return reverse(self.name, kwargs=self.fill(scene))

    @property
    def reader(self) -> str:
        """Somebody who gets the page, if anybody does: who is in charge, else whoever comes first."""
        return next((who for who, status in self.answers.get("GET", {}).items() if status == 200), "")


def page(answers: dict[str, int | str]) -> dict[str, dict[str, int | str]]:
    return {"GET": answers}


def form(shown: dict[str, int | str], *, sent: int = 422) -> dict[str, dict[str, int | str]]:
    """A form: an empty one is refused with `sent` where it is shown, and answered alike where it is not."""
    return {"GET": shown, "POST": {who: sent if status == 200 else status for who, status in shown.items()}}


def deed(answers: dict[str, int | str]) -> dict[str, dict[str, int | str]]:
    return {"POST": answers}


def entrance(answers: dict[str, int | str]) -> dict[str, dict[str, int | str]]:
    return dict.fromkeys(("GET", "POST"), answers)
