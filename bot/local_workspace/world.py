"""The state of the workspace: one object, one lock, small operations that keep it consistent."""

from __future__ import annotations

import secrets
import string
import threading
import time
from dataclasses import dataclass, field

from bot.local_workspace.errors import SlackError
from bot.local_workspace.faults import Faults
from bot.local_workspace.grants import ReplyAddress, Token, TokenKind, Trigger
from bot.local_workspace.manifest import PERSON_SCOPES, AppManifest
from bot.local_workspace.values import Channel, ChannelKind, File, Json, Message, User, View, now

ALPHABET = string.ascii_uppercase + string.digits
TRIGGER_LIFE_S = 3.0
READ_SCOPES: dict[ChannelKind, str] = {
    "channel": "channels",
    "group": "groups",
    "mpim": "mpim",
    "im": "im",
}


@dataclass(slots=True)
class App:
    """An installed app: its manifest, its bot user and its two tokens."""

    id: str
    manifest: AppManifest
    bot_user: str
    bot_id: str
    bot_token: str
    app_token: str


@dataclass(slots=True)
class Session:
    """An agent session of one thread: its status line, and its title."""

    app_id: str
    channel: str
    thread_ts: str
    status: str = "active"
    line: str = ""
    loading: list[str] = field(default_factory=list)
    title: str = ""


class World:
    """Team, members, channels, messages, files, views and tokens.

    Hold `lock` (re-entrant) around anything that reads or writes more than one thing.
    """

    def __init__(self, team_name: str, domain: str) -> None:
        self.lock = threading.RLock()
        self.team_id = "T0LOCALDEV"
        self.team_name = team_name
        self.domain = domain
        self.base_url = ""
        self.about = ""
        self.faults = Faults()
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.gone: dict[str, set[str]] = {}
        self.files: dict[str, File] = {}
        self.views: dict[str, View] = {}
        self.homes: dict[tuple[str, str], View] = {}
        self.tokens: dict[str, Token] = {}
        self.apps: dict[str, App] = {}
        self.triggers: dict[str, Trigger] = {}
        self.reply_addresses: dict[str, ReplyAddress] = {}
        self.sessions: dict[tuple[str, str, str], Session] = {}
        self.prompts: dict[tuple[str, str], Json] = {}
        self._last_micros = 0

    # -- ids and time

    def new_id(self, prefix: str) -> str:
        """A fresh id such as U7Q2… : the prefix and ten characters."""
        return prefix + "".join(secrets.choice(ALPHABET) for _ in range(10))

    def new_ts(self) -> str:
        """A message id: the time in microseconds, never the same twice, always growing."""
        with self.lock:
            self._last_micros = max(int(time.time() * 1_000_000), self._last_micros + 1)
            return f"{self._last_micros // 1_000_000}.{self._last_micros % 1_000_000:06d}"

    # -- members and channels

    def add_user(self, user: User) -> User:
        """Adds a member."""
        with self.lock:
            self.users[user.id] = user
        return user

    def add_channel(self, channel: Channel) -> Channel:
        """Adds a channel."""
        with self.lock:
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

    def issue_token(
        self, kind: TokenKind, user_id: str, app_id: str, scopes: frozenset[str]
    ) -> str:
        """A random token; its prefix says its kind, as Slack's do."""
        # An app token names its app, as Slack's do.
        prefix = {"bot": "xoxb", "app": f"xapp-1-{app_id}", "user": "xoxp"}[kind]
        text = f"{prefix}-{secrets.randbelow(10**12):012d}-{secrets.token_hex(16)}"
        with self.lock:
            self.tokens[text] = Token(text, kind, user_id, app_id, scopes)
        return text

    def user_token(self, user_id: str) -> str:
        """A person's token."""
        return self.issue_token("user", user_id, "", PERSON_SCOPES)

    def install(self, manifest: AppManifest) -> App:
        """Installs an app: a bot user, a bot token with the manifest's scopes, an app token."""
        app_id, bot_id, user_id = self.new_id("A"), self.new_id("B"), self.new_id("U")
        bot = User(user_id, manifest.bot_name, manifest.name, self.team_id, True, bot_id, app_id)
        with self.lock:
            self.add_user(bot)
            app = App(
                app_id,
                manifest,
                user_id,
                bot_id,
                self.issue_token("bot", user_id, app_id, manifest.bot_scopes),
                self.issue_token("app", user_id, app_id, frozenset({"connections:write"})),
            )
            self.apps[app_id] = app
        return app

    # -- looking things up, with Slack's names for what is missing

    def visible_channel(self, channel_id: str, viewer: str) -> Channel:
        """A channel by id, or by #name. `channel_not_found` when `viewer` may not know of it."""
        channel = self.channels.get(channel_id) or self._by_name(channel_id)
        if channel is None and channel_id in self.users and channel_id != viewer:
            channel = self.direct_messages(viewer, channel_id)
        if channel is None or (channel.kind != "channel" and viewer not in channel.members):
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
