"""The state of the workspace: one object, one lock, small operations that keep it consistent."""

from __future__ import annotations

import math
import secrets
import time
from dataclasses import dataclass

from bot.local_workspace.commons import Commons
from bot.local_workspace.errors import SlackError
from bot.local_workspace.forgetting import forget_oldest
from bot.local_workspace.grants import Token, TokenKind, Trigger
from bot.local_workspace.manifest import PERSON_SCOPES, AppManifest
from bot.local_workspace.surfaces import Session, View
from bot.local_workspace.values import Channel, ChannelKind, File, Json, Message, User, now

HOME_TEAM = "T0LOCALDEV"
TRIGGER_LIFE_S = 3.0
READ_SCOPES: dict[ChannelKind, str] = {
    "channel": "channels",
    "group": "groups",
    "mpim": "mpim",
    "im": "im",
}


@dataclass(slots=True)
class App:
    """An app as it is installed in one workspace: its bot user there, and its tokens.

    It stays known when it is removed: what it wrote is still there.
    """

    id: str
    team_id: str
    manifest: AppManifest
    bot_user: str
    bot_id: str
    app_token: str
    bot_token: str = ""
    scopes: frozenset[str] = frozenset()
    installed: bool = False

    def as_caller(self) -> Token:
        """Who answers a click or a command, without a token of their own."""
        return Token("", "bot", self.bot_user, self.id, self.scopes, self.team_id)


class World:
    """One team: its members, channels, messages and views, and what it shares with other teams.

    Hold `lock` (re-entrant) around anything that reads or writes more than one thing.
    """

    def __init__(
        self,
        team_name: str,
        domain: str,
        team_id: str = HOME_TEAM,
        commons: Commons | None = None,
    ) -> None:
        """`commons`: what the workspaces of the same server share, where there are others."""
        self.commons = commons or Commons()
        self.commons.worlds[team_id] = self
        self.lock = self.commons.lock
        self.team_id = team_id
        self.team_name = team_name
        self.domain = domain
        self.about = ""
        self.kept: int | None = None
        """How many messages a channel keeps; None: all."""
        self.faults = self.commons.faults
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.gone: dict[str, set[str]] = {}
        self.files: dict[str, File] = self.commons.files
        self.views: dict[str, View] = {}
        self.homes: dict[tuple[str, str], View] = {}
        self.tokens = self.commons.tokens
        self.apps: dict[str, App] = {}
        self.triggers: dict[str, Trigger] = {}
        self.reply_addresses = self.commons.reply_addresses
        self.sessions: dict[tuple[str, str, str], Session] = {}
        self.prompts: dict[tuple[str, str], Json] = {}
        self.new_id = self.commons.new_id
        self.new_ts = self.commons.new_ts

    @property
    def base_url(self) -> str:
        """Where the server is found, without a slash at the end."""
        return self.commons.base_url

    # -- members and channels

    def add_user(self, user: User) -> User:
        """Adds a member."""
        with self.lock:
            self.users[user.id] = user
        return user

    def add_channel(self, channel: Channel) -> Channel:
        """Adds a channel."""
        with self.lock:
            channel.host = channel.host or self.team_id
            self.channels[channel.id] = channel
            self.messages.setdefault(channel.id, {})
        return channel

    def direct_messages(self, one: str, other: str) -> Channel:
        """The direct messages of two members, opened when they are not yet."""
        with self.lock:
            for channel in self.channels.values():
                if channel.is_im and {one, other} == set(channel.members):
                    return channel
            return self.add_channel(
                Channel(self.new_id("D"), "", "im", now(), one, sorted({one, other}))
            )

    def group_messages(self, members: list[str]) -> Channel:
        """The direct messages of several members, in the order in which they were first named."""
        with self.lock:
            for channel in self.channels.values():
                if channel.kind == "mpim" and set(members) == set(channel.members):
                    return channel
            name = f"mpdm-{'--'.join(self.users[each].name for each in members)}-1"
            return self.add_channel(
                Channel(self.new_id("C"), name, "mpim", now(), members[0], members)
            )

    def member(self, user_id: str) -> User | None:
        """A member, or somebody of another workspace who is in a channel shared with this one."""
        if user_id in self.users:
            return self.users[user_id]
        team = self.commons.team_of(user_id)
        shared = any(user_id in each.members for each in self.channels.values())
        return team.users[user_id] if team and shared else None

    def issue_token(
        self,
        kind: TokenKind,
        user_id: str,
        app_id: str,
        scopes: frozenset[str],
        lives_s: float = math.inf,
    ) -> str:
        """A random token; its prefix says its kind, and whether it ends, as Slack's do."""
        # An app token names its app, as Slack's do.
        prefix = {"bot": "xoxb", "app": f"xapp-1-{app_id}", "user": "xoxp"}[kind]
        text = f"{prefix}-{secrets.randbelow(10**12):012d}-{secrets.token_hex(16)}"
        expires = time.monotonic() + lives_s
        text = text if math.isinf(expires) else f"xoxe.{text}"
        with self.lock:
            self.tokens[text] = Token(text, kind, user_id, app_id, scopes, self.team_id, expires)
        return text

    def user_token(self, user_id: str) -> str:
        """A person's token."""
        return self.issue_token("user", user_id, "", PERSON_SCOPES)

    # -- looking things up, with Slack's names for what is missing

    def visible_channel(self, channel_id: str, viewer: str) -> Channel:
        """A channel by id, or by #name. `channel_not_found` when `viewer` may not know of it."""
        channel = self.channels.get(channel_id) or self._by_name(channel_id)
        if channel is None and channel_id in self.users and channel_id != viewer:
            channel = self.direct_messages(viewer, channel_id)
        is_inside = channel is not None and viewer in channel.members
        if channel is None or not (is_inside or channel.is_known_to(self.users.get(viewer))):
            raise SlackError("channel_not_found")
        return channel

    def _by_name(self, name: str) -> Channel | None:
        wanted = name.removeprefix("#")
        named = (each for each in self.channels.values() if each.name == wanted and wanted)
        return next(named, None)

    def message(self, channel_id: str, ts: str) -> Message:
        """A message that everyone in the channel sees; else `message_not_found`."""
        found = self.messages.get(channel_id, {}).get(ts)
        if found is None or found.ephemeral_to is not None or found.tombstone:
            raise SlackError("message_not_found")
        return found

    def file_is_ready(self, file: File) -> bool:
        """Whether Slack has finished looking at a file; before, its type is not known."""
        if file.completed_at is None or file.refused:
            return False
        waited_s = time.monotonic() - file.completed_at
        return (
            waited_s >= self.faults.file_ready_after_s + file.late_s
            and file.polls >= self.faults.file_ready_polls
        )

    # -- messages

    def add_message(self, message: Message) -> Message:
        """Stores a message and counts it as a reply of its root."""
        with self.lock:
            self.messages[message.channel][message.ts] = message
            if message.is_reply and message.ephemeral_to is None:
                root = self.messages[message.channel].get(message.root)
                if root is not None:
                    root.replies.append(message.ts)
            forget_oldest(self, message.channel)
        return message

    def remove_message(self, message: Message) -> None:
        """Deletes a message. A root with replies stays as a tombstone, as in Slack."""
        with self.lock:
            if message.replies:
                message.tombstone = True
                message.text, message.blocks, message.files = "", None, []
                return
            del self.messages[message.channel][message.ts]
            self.gone.setdefault(message.channel, set()).add(message.ts)
            root = self.messages[message.channel].get(message.root)
            if root is not None and message.ts in root.replies:
                root.replies.remove(message.ts)
                if root.tombstone and not root.replies:
                    del self.messages[message.channel][root.ts]

    def session(self, app_id: str, channel: str, thread_ts: str) -> Session:
        """The agent session of a thread, made when there is none."""
        key = (app_id, channel, thread_ts)
        with self.lock:
            return self.sessions.setdefault(key, Session(*key))

    # -- triggers

    def new_trigger(self, user_id: str, app_id: str) -> str:
        """A trigger_id for a person's action."""
        text = f"{secrets.randbelow(10**12)}.{secrets.randbelow(10**12)}.{secrets.token_hex(16)}"
        with self.lock:
            self.triggers[text] = Trigger(user_id, app_id, time.monotonic())
        return text

    def use_trigger(self, text: str, app_id: str) -> str:
        """Exchanges a trigger_id for the id of the person behind it, once, within 3 s."""
        with self.lock:
            trigger = self.triggers.get(text)
            if trigger is None or trigger.app_id != app_id:
                raise SlackError("invalid_trigger_id")
            if trigger.used:
                raise SlackError("exchanged_trigger_id")
            if time.monotonic() - trigger.issued > TRIGGER_LIFE_S:
                raise SlackError("expired_trigger_id")
            trigger.used = True
            return trigger.user_id
