"""Local times in named zones, and the two nights a year when a local time is no time or two times."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, time
from functools import cache

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from people.refusal import Refused


class NoSuchTime(Refused):
    """Clocks skip this local time."""


class TimeTwice(Refused):
    """Clocks show this local time twice."""


# Zones shift a day by up to a day, and there is none before the first year or after the last that Python knows.
EARLIEST, LATEST = date(1970, 1, 1), date(9000, 12, 31)


def moment(day: date, at: time, zone: str) -> datetime:
    """Return the moment (UTC) at which clocks in `zone` show this day and time. Raises NoSuchTime, TimeTwice."""
    tz = zoneinfo.ZoneInfo(zone)
    if not EARLIEST <= day <= LATEST:
        raise NoSuchTime(_("This day is too far away. Choose one between 1970 and 9000."), field="day")
    first = datetime.combine(day, at, tzinfo=tz)
    second = first.replace(fold=1)
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(UTC)
    words = {"time": time_format(at, "H:i"), "day": date_format(day), "zone": zone}
    if first.astimezone(UTC).astimezone(tz).replace(tzinfo=None) != first.replace(tzinfo=None):
        raise NoSuchTime(
            _("%(time)s on %(day)s does not exist in %(zone)s: clocks jump over it. Choose another time.") % words,
            field="at",
        )
    raise TimeTwice(
        _("%(time)s on %(day)s comes twice in %(zone)s: clocks go back. Choose another time, or give it in UTC.")
        % words,
        field="at",
    )


def local(at: datetime, zone: str) -> datetime:
    """Return the moment as clocks in `zone` show it."""
    return timezone.localtime(at, zoneinfo.ZoneInfo(zone))


@cache
def zone_names() -> tuple[str, ...]:
    """Return the zones offered in forms: UTC and those named for places. Others are accepted too."""
    continents = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    return ("UTC", *sorted(name for name in zoneinfo.available_timezones() if name.split("/")[0] in continents))


def iso(at: datetime) -> str:
    """A time for programs: UTC with milliseconds, such as 2026-11-30T10:42:07.250Z."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
