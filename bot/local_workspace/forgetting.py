"""A workspace that is to stay small: what is oldest goes, whole threads at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.local_workspace.values import Message
    from bot.local_workspace.world import World


def forget_oldest(world: World, channel: str) -> None:
    """Forget threads of `channel` until it keeps `world.kept` messages; call with the lock held.

    Nobody is told: unlike deleted messages, these were never there. The newest stays.
    """
    messages = world.messages[channel]
    while world.kept is not None and len(messages) > max(1, world.kept):
        oldest = next(iter(messages.values()))
        for ts in (oldest.ts, *oldest.replies):
            gone = messages.pop(ts, None)
            if gone is not None:
                _forget_what_it_held(world, gone)


def _forget_what_it_held(world: World, message: Message) -> None:
    for file_id in message.files:
        world.files.pop(file_id, None)
    for app_id in world.apps:
        world.sessions.pop((app_id, message.channel, message.ts), None)
