"""What administrators have set for channels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.channel_rule import ChannelSettings
from bot.store.connection import StoreConnection

ALL: Final = """
select channel_id, allowed, shared_with, follow_ups, private, guests, set_by, set_at
from db_agent.channel_settings
where team_id = %(team)s
"""
SET: Final = """
insert into db_agent.channel_settings
    (team_id, channel_id, allowed, shared_with, follow_ups, private, guests, set_by)
values
    (%(team)s, %(channel)s, %(allowed)s, %(shared_with)s, %(follow_ups)s, %(private)s, %(guests)s,
     %(set_by)s)
on conflict (team_id, channel_id) do update set
    allowed = excluded.allowed, shared_with = excluded.shared_with,
    follow_ups = excluded.follow_ups, private = excluded.private, guests = excluded.guests,
    set_by = excluded.set_by, set_at = now()
returning channel_id, allowed, shared_with, follow_ups, private, guests, set_by, set_at
"""


class SettingsStore(StoreConnection):
    """The settings of channels."""

    def channel_settings(self, team: str) -> Mapping[str, ChannelSettings]:
        """Return what is set, by channel; a channel where nothing is set is not in it."""
        with self._connection() as connection:
            rows = connection.execute(ALL, {"team": team}).fetchall()
        return {row["channel_id"]: _read(row) for row in rows}

    def set_channel(self, team: str, channel: str, settings: ChannelSettings) -> ChannelSettings:
        """Keep the settings of a channel, whole; returns them with the time of the store's clock.

        `settings.set_by` is who set them.
        """
        shared = settings.shared_with
        given = {
            "team": team,
            "channel": channel,
            "allowed": settings.allowed,
            "shared_with": None if shared is None else sorted(shared),
            "follow_ups": settings.follow_ups,
            "private": settings.private,
            "guests": settings.guests,
            "set_by": settings.set_by,
        }
        with self._connection() as connection:
            row = connection.execute(SET, given).fetchone()
        return settings if row is None else _read(row)


def _read(row: Mapping[str, Any]) -> ChannelSettings:
    shared = row["shared_with"]
    return ChannelSettings(
        allowed=row["allowed"],
        shared_with=None if shared is None else frozenset(shared),
        follow_ups=row["follow_ups"],
        private=row["private"],
        guests=row["guests"],
        set_by=row["set_by"],
        set_at=row["set_at"],
    )
