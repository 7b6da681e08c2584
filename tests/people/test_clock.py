"""Local times become moments; the ones that clocks skip or show twice are refused in words."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from people.clock import NoSuchTime, TimeTwice, moment, zone_names

pytestmark = pytest.mark.unit


def test_moment_follows_the_zone_through_the_year() -> None:
    assert moment(date(2026, 1, 15), time(10, 0), "Europe/Berlin") == datetime(2026, 1, 15, 9, 0, tzinfo=UTC)
    assert moment(date(2026, 7, 15), time(10, 0), "Europe/Berlin") == datetime(2026, 7, 15, 8, 0, tzinfo=UTC)


def test_moment_refuses_a_time_that_clocks_jump_over() -> None:
    with pytest.raises(NoSuchTime) as refused:
        moment(date(2026, 3, 29), time(2, 30), "Europe/Berlin")

    assert "02:30" in refused.value.message
    assert "Europe/Berlin" in refused.value.message
    assert refused.value.field == "at"


def test_moment_refuses_a_time_that_comes_twice() -> None:
    with pytest.raises(TimeTwice, match="UTC"):
        moment(date(2026, 10, 25), time(2, 30), "Europe/Berlin")


@pytest.mark.parametrize("at", [time(1, 59), time(3, 0)])
def test_moment_takes_the_minutes_around_the_gap(at: time) -> None:
    assert moment(date(2026, 3, 29), at, "Europe/Berlin").tzinfo is UTC


def test_zone_names_offer_places_and_utc() -> None:
    names = zone_names()

    assert names[0] == "UTC"
    assert {"Europe/Berlin", "Asia/Shanghai"} <= set(names)
    assert not [name for name in names if name.startswith("Etc/")]


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1969, 12, 31), date(9999, 12, 31)])
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/Los_Angeles"])
def test_a_day_too_far_away_is_refused_in_words(day: date, zone: str) -> None:
    for at in (time(0, 0), time(23, 59)):
        with pytest.raises(NoSuchTime) as refused:
            moment(day, at, zone)
        assert refused.value.field == "day"
