"""Short names for browsers, from what they say of themselves."""

from __future__ import annotations

import pytest

from interviews.rules.browsers import browser_name

pytestmark = pytest.mark.unit

KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {KIT} Chrome/140.0.0.0 Safari/537.36", "Chrome, Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {KIT} Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari, Mac"),
        ("sounding-simulate", ""),
        ("", ""),
    ],
)
def test_browser_is_named_by_program_and_system(agent: str, name: str) -> None:
    assert browser_name(agent) == name
