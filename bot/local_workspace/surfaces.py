"""What apps put before people besides messages: modals, the Home tab, the state of a thread."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.local_workspace.values import Json


@dataclass(slots=True)
class View:
    """A modal, or a person's Home tab."""

    id: str
    app_id: str
    user_id: str
    body: Json
    hash: str
    root_id: str = ""
    previous_id: str | None = None
    open: bool = True

    def as_slack(self, team_id: str, bot_id: str) -> Json:
        """A view object: what the app sent, and what Slack adds to it."""
        added: Json = {
            "id": self.id,
            "team_id": team_id,
            "app_id": self.app_id,
            "app_installed_team_id": team_id,
            "bot_id": bot_id,
            "hash": self.hash,
            "root_view_id": self.root_id or self.id,
            "previous_view_id": self.previous_id,
            "state": {"values": {}},
        }
        defaults = {
            "callback_id": "",
            "private_metadata": "",
            "external_id": "",
            "clear_on_close": False,
            "notify_on_close": False,
            "submit": None,
            "close": None,
        }
        return {**defaults, **self.body, **added}


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
