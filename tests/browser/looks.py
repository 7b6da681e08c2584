"""Looking at a page as readers with other screens, themes and languages do: axe, and nothing that scrolls sideways.

Each value of each choice is looked at once, not each combination: what axe can see of a theme (contrast) does not
depend on the language, and a page's width does not depend on the theme. Both widths are measured either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WIDTHS = (1280, 420)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


# The faces, or words are as wide as another one has them. Two frames: in the first one the new style begins its
# transitions, which then are there to be waited for.
ARRIVED = """async () => {
  await document.fonts.ready;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  await frame();
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
}"""


@dataclass(frozen=True, slots=True)
class Look:
    language: str
    scheme: Literal["light", "dark"]
    width: int


LOOKS = (Look("en", "light", 1280), Look("zh-hans", "dark", 420))

each_look = pytest.mark.parametrize("look", LOOKS, ids=["en-light-1280", "zh-hans-dark-420"])


def axe_faults(page: Page) -> list[str]:
    """What axe finds on the page as it is now: one line for each element."""
    results: Any = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in results.response["violations"]
        for node in one["nodes"]
    ]


def show_in(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Change the theme, and wait for it: a colour that is on its way to the other has a contrast of its own."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(ARRIVED)


def faults(page: Page, look: Look) -> list[str]:
    """What is wrong with the open page: too wide at one of the widths, or what axe finds in this look."""
    show_in(page, look.scheme)
    found = []
    for width in sorted(WIDTHS, key=lambda width: width == look.width):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(ARRIVED)
        wider = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wider > 0:
            found.append(f"{wider} px too wide at {width}")
    return [*found, *axe_faults(page)]
