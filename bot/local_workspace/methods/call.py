"""One call of a Web API method, as its handler sees it: who calls, with which arguments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from bot.local_workspace.errors import SlackError
from bot.local_workspace.grants import Token
from bot.local_workspace.json_text import read_json
from bot.local_workspace.values import Channel, Json
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import READ_SCOPES, App, World

# Arguments that a form carries as JSON text.
STRUCTURED = frozenset(
    {
        "attachments",
        "blocks",
        "chunks",
        "files",
        "loading_messages",
        "metadata",
        "prompts",
        "set",
        "values",
        "view",
    }
)


@dataclass(frozen=True)
class Call:
    """A call that has passed the checks on token, scope and body."""

    workspace: Workspace
    token: Token
    args: Json

    @property
    def world(self) -> World:
        """The state."""
        return self.workspace.world

    @property
    def user_id(self) -> str:
        """The member that the token speaks for: a person, or the bot user."""
        return self.token.user_id

    @property
    def app(self) -> App:
        """The app of a bot or app token."""
        return self.world.apps[self.token.app_id]

    @property
    def is_bot(self) -> bool:
        """Whether a bot token calls."""
        return self.token.kind == "bot"

    # -- arguments

    def require(self, *names: str) -> None:
        """Raises invalid_arguments that names every missing one."""
        missing = [name for name in names if self.args.get(name) in (None, "")]
        if missing:
            raise SlackError(
                "invalid_arguments",
                *(f"[ERROR] missing required field: {name}" for name in missing),
            )

    def text(self, name: str, default: str = "") -> str:
        """A string argument; numbers are taken as their digits."""
        value = self.args.get(name)
        if value is None:
            return default
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return str(value)
        raise SlackError("invalid_arguments", f"[ERROR] must be a string [json-pointer:/{name}]")

    def flag(self, name: str) -> bool:
        """A boolean argument in any of the forms that Slack takes."""
        return self.args.get(name) in (True, 1, "1", "true", "True")

    def whole(self, name: str, default: int) -> int:
        """A whole number."""
        value = self.args.get(name)
        if value in (None, ""):
            return default
        try:
            return int(str(value))
        except ValueError:
            raise SlackError(
                "invalid_arguments", f"[ERROR] must be an integer [json-pointer:/{name}]"
            ) from None

    def seconds(self, name: str, default: float) -> float:
        """A span of time."""
        value = self.args.get(name)
        try:
            seconds = default if value in (None, "") else float(str(value))
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds < math.inf:
            raise SlackError(
                "invalid_arguments", f"[ERROR] must be a number of seconds [json-pointer:/{name}]"
            )
        return seconds

    def structure(self, name: str, on_error: str = "invalid_arguments") -> Any:
        """An array or object; a form, and a careless JSON body, send it as JSON text."""
        value = self.args.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return read_json(value)
        except ValueError:
            raise SlackError(on_error, f"[ERROR] {name} is not valid JSON") from None

    # -- channels

    def channel(self, name: str = "channel") -> Channel:
        """The channel named by an argument, if the caller may know of it."""
        self.require(name)
        return self.world.visible_channel(self.text(name), self.user_id)

    def joined_channel(self, name: str = "channel") -> Channel:
        """The same, and the caller must be in it: else not_in_channel."""
        channel = self.channel(name)
        if self.user_id not in channel.members:
            raise SlackError("not_in_channel")
        return channel

    def open_channel(self, name: str = "channel") -> Channel:
        """The same, and somebody may still post there: else is_archived."""
        channel = self.joined_channel(name)
        if channel.is_archived:
            raise SlackError("is_archived")
        return channel

    def need_scope_for(self, channel: Channel, right: str) -> None:
        """Raises missing_scope unless the token has channels:, groups:, mpim: or im:`right`."""
        self.need_scope(f"{READ_SCOPES[channel.kind]}:{right}")

    def need_scope(self, scope: str) -> None:
        """Raises missing_scope, naming what was needed and what is there."""
        if scope not in self.token.scopes:
            raise missing_scope(self.token, scope)


def missing_scope(token: Token, needed: str) -> SlackError:
    """The refusal that a token without a scope gets."""
    return SlackError("missing_scope", needed=needed, provided=",".join(sorted(token.scopes)))
