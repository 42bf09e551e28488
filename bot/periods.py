"""Days and months as a time zone has them; pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.store import Period


def day_of(at: datetime, time_zone: str) -> Period:
    """Return the day in which a moment lies: 23, 24 or 25 hours, by the clocks of the zone."""
    today = at.astimezone(ZoneInfo(time_zone)).date()
    return _between(today, today + timedelta(days=1), time_zone)


def month_of(at: datetime, time_zone: str) -> Period:
    """Return the calendar month in which a moment lies."""
    first = at.astimezone(ZoneInfo(time_zone)).date().replace(day=1)
    return _between(first, (first + timedelta(days=31)).replace(day=1), time_zone)


def _between(low: date, high: date, time_zone: str) -> Period:
    """From the first moment of a day to that of another: where it has no midnight, what follows."""
    zone = ZoneInfo(time_zone)
    since, until = (datetime(day.year, day.month, day.day, tzinfo=zone) for day in (low, high))
    return Period(since.astimezone(UTC), until.astimezone(UTC))
