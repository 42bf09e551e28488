"""The things of a workspace, each able to show itself the way Slack's JSON shows it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
ChannelKind = Literal["channel", "group", "mpim", "im"]


@dataclass(slots=True)
class User:
    """A member: a person, or the bot user of an app."""

    id: str
    name: str
    real_name: str
    team_id: str
    is_bot: bool = False
    bot_id: str = ""
    app_id: str = ""
    tz: str = "Europe/Berlin"
    title: str = ""
    deleted: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    """A guest of one channel; one of several is restricted only."""
    is_stranger: bool = False
    is_admin: bool = False
    is_owner: bool = False
    """The workspace's primary owner, who is an administrator too."""
    is_workflow_bot: bool = False
    locale: str = "en-US"
    """Told only to who asks for it; "" where Slack knows none."""

    @property
    def administers(self) -> bool:
        """Whether they may do what administrators may: owners are that too."""
        return self.is_admin or self.is_owner

    def as_slack(self) -> Json:
        """A user object."""
        body: Json = {
            "id": self.id,
            "team_id": self.team_id,
            "name": self.name,
            "deleted": self.deleted,
            "real_name": self.real_name,
            "tz": self.tz,
            "tz_label": self.tz,
            "profile": {
                "real_name": self.real_name,
                "display_name": self.name,
                "title": self.title,
                "team": self.team_id,
            },
            "is_admin": self.administers,
            "is_owner": self.is_owner,
            "is_primary_owner": self.is_owner,
            "is_bot": self.is_bot,
            "is_app_user": False,
            "is_restricted": self.is_restricted or self.is_ultra_restricted,
            "is_ultra_restricted": self.is_ultra_restricted,
        }
        for trait in ("is_stranger", "is_workflow_bot"):
            if getattr(self, trait):
                body[trait] = True
        if self.is_bot:
            body["profile"] |= {"bot_id": self.bot_id, "api_app_id": self.app_id}
        return body


@dataclass(slots=True)
class Channel:
    """A channel, a private channel, or the direct messages between two members or several."""

    id: str
    name: str
    kind: ChannelKind
    created: int
    creator: str
    members: list[str]
    topic: str = ""
    is_archived: bool = False
    is_ext_shared: bool = False
    outsiders: list[str] = field(default_factory=list)
    """The ids of the other organisations that it is shared with."""
    host: str = ""
    """The id of the team that it belongs to."""
    pending: list[str] = field(default_factory=list)
    """The teams that have been asked to share it, and have not answered."""

    @property
    def is_im(self) -> bool:
        """Whether these are the direct messages of two."""
        return self.kind == "im"

    @property
    def typed(self) -> str:
        """The name that interactions and commands give for it."""
        if self.is_im:
            return "directmessage"
        return "privategroup" if self.kind == "group" else self.name

    def is_known_to(self, user: User | None) -> bool:
        """Whether somebody may know of it: guests and outsiders of what they are in, no more."""
        if user is None:
            return False
        is_outside = user.is_restricted or user.is_ultra_restricted or user.is_stranger
        return user.id in self.members or (self.kind == "channel" and not is_outside)

    def other(self, user_id: str) -> str:
        """In direct messages: the member who is not `user_id`."""
        return next((member for member in self.members if member != user_id), user_id)

    def as_slack(self, viewer: str, team_id: str = "") -> Json:
        """A conversation object as `viewer` gets it, in their team (the host's, if not given)."""
        body: Json = {
            "id": self.id,
            "created": self.created,
            "is_archived": self.is_archived,
            "is_im": self.is_im,
            "is_channel": self.kind == "channel",
            "is_group": self.kind in ("group", "mpim"),
            "is_mpim": self.kind == "mpim",
            "is_private": self.kind != "channel",
            "is_org_shared": False,
            "is_ext_shared": self.is_ext_shared,
            "is_pending_ext_shared": bool(self.pending),
            "is_shared": self.is_ext_shared,
        }
        if self.is_im:
            return body | {"user": self.other(viewer)}
        return (
            body
            | self._sharing(team_id or self.host)
            | {
                "name": self.name,
                "name_normalized": self.name,
                "creator": self.creator,
                "is_general": self.name == "general",
                "is_member": viewer in self.members,
                "num_members": len(self.members),
                "topic": {"value": self.topic, "creator": self.creator, "last_set": self.created},
                "purpose": {"value": "", "creator": "", "last_set": 0},
            }
        )

    def _sharing(self, team_id: str) -> Json:
        teams = [self.host, *(each for each in self.outsiders if each != self.host)]
        body: Json = {
            "context_team_id": team_id,
            "conversation_host_id": self.host,
            "shared_team_ids": teams,
            "pending_shared": list(self.pending),
            "pending_connected_team_ids": list(self.pending),
        }
        if self.is_ext_shared:
            body["connected_team_ids"] = [each for each in teams if each != team_id]
        return body


@dataclass(slots=True)
class Stream:
    """A message that is still being written: its parts, and since when (monotonic seconds)."""

    recipient: str
    display: str
    started: float
    text: str = ""
    tasks: dict[str, Json] = field(default_factory=dict)
    plan_title: str = ""
    blocks: list[Json] = field(default_factory=list)
    open: bool = True
    stopped_by_user: bool = False

    def goes_on(self, life_s: float) -> bool:
        """Whether it may still be added to: Slack ends each after `life_s` seconds."""
        self.open = self.open and time.monotonic() - self.started <= life_s
        return self.open


@dataclass(slots=True)
class Message:
    """A message. `ephemeral_to` is the one person who sees it; a tombstone is a deleted root."""

    channel: str
    ts: str
    user: str
    text: str
    blocks: list[Json] | None = None
    bot_id: str = ""
    app_id: str = ""
    thread_ts: str | None = None
    subtype: str | None = None
    files: list[str] = field(default_factory=list)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    replies: list[str] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    metadata: Json | None = None
    edited: Json | None = None
    client_msg_id: str = ""
    broadcast: bool = False
    ephemeral_to: str | None = None
    stream: Stream | None = None
    tombstone: bool = False
    username: str = ""
    """Who a message with no member behind it says it is by, such as a workflow's."""

    @property
    def is_reply(self) -> bool:
        """Whether it stands in the thread of another message."""
        return self.thread_ts is not None and self.thread_ts != self.ts

    @property
    def root(self) -> str:
        """The ts of the thread that it belongs to, or would open."""
        return self.thread_ts or self.ts


@dataclass(slots=True)
class File:
    """An uploaded file. It can be used once it is complete and Slack has looked at it."""

    id: str
    name: str
    length: int
    owner: str
    upload_key: str
    created: int
    alt_text: str = ""
    title: str = ""
    content: bytes | None = None
    completed_at: float | None = None
    polls: int = 0
    refused: bool = False
    """Slack cannot make anything of it: it never gets ready."""
    late_s: float = 0.0
    shared_in: list[str] = field(default_factory=list)


def now() -> int:
    """Whole seconds since 1970, as Slack's `created` and `event_time` are."""
    return int(time.time())
