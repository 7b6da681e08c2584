"""The switch to raw: by link and key, on a card and side by side; what is switched off is nowhere on the page."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from tests.cast import Cast
from tests.support.compared import calibrate, copy_card
from tests.support.factories import Scene
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return hand_in_all(make_judged_scene(cast))


def switch_of(response: Any) -> Tag | None:
    return BeautifulSoup(response.content, "html.parser").select_one("nav.values")


def the_other_way(response: Any) -> tuple[str, str, str]:
    """Where the switch stands, what its link says, and where that leads."""
    found = switch_of(response)
    assert found is not None
    link = found.select_one("a[aria-keyshortcuts=V]")
    assert link is not None
    return found.select_one("[aria-current]").get_text(), link.get_text(), str(link["href"])  # type: ignore[union-attr]


def test_without_calibrated_values_there_is_nothing_to_switch(scene: Scene) -> None:
    for address in (f"/applications/{scene.application.code}/panel/", f"/positions/{scene.position.code}/compare/"):
        assert switch_of(as_(scene.cast.mara).get(address)) is None


def test_card_shows_raw_values_alone_when_switched(scene: Scene) -> None:
    calibrate(scene.application, depth=(3.14, 2.6, 3.6))
    address = f"/applications/{scene.application.code}/panel/"
    reader = as_(scene.cast.mara)

    both = reader.get(address)
    assert the_other_way(both) == ("Calibrated", "VRaw", "?values=raw")
    assert "calibrated 3.14 (95%: 2.6 to 3.6)" in words(both)
    assert "Depth: raw" in words(both)

    raw = reader.get(f"{address}?values=raw")
    assert the_other_way(raw) == ("Raw", "VCalibrated", "?")
    assert "3.14" not in raw.content.decode()
    assert "switched off" in words(raw)
    assert "From raw to calibrated" not in words(raw)
    kept = reader.get(f"{address}?values=raw&format=json").json()["content"]["dimensions"]["depth"]
    assert kept["calibrated"]["value"] == 3.14, "programs are given both"


def test_comparison_keeps_its_choice_when_switched_and_sorts_by_what_it_shows(scene: Scene) -> None:
    raw_value = calibrate(scene.application, depth=(3.14, 2.6, 3.6)).content["dimensions"]["depth"]["value"]
    (other,) = copy_card(scene.application, scene.position, 1)
    calibrate(other, depth=(1.52, 1.0, 2.0))
    address = f"/positions/{scene.position.code}/compare/"
    reader = as_(scene.cast.mara)

    both = reader.get(f"{address}?c={scene.application.code}&c={other.code}&order=depth")
    assert "3.1 (2.6 to 3.6)" in words(both)
    assert f"3.1 (2.6 to 3.6) raw {raw_value:.1f} " in words(both), "beside the calibrated one"
    standing, _label, link = the_other_way(both)
    assert standing == "Calibrated"
    assert link == f"?c={scene.application.code}&c={other.code}&order=depth&values=raw"

    raw = reader.get(f"{address}{link}")
    assert "(2.6 to 3.6)" not in words(raw)
    assert "calibrated value, 95% interval" not in words(raw)
    soup = BeautifulSoup(raw.content, "html.parser")
    assert {one["value"] for one in soup.select("input[name=values]")} == {"raw"}, "the forms stay raw"
    heads = [str(link["href"]) for link in soup.select("a.compare__sort")]
    assert heads
    assert all("values=raw" in head for head in heads)
