"""What bots of other processes need for the demo's workspace and databases, as settings."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Final

from agent.database.demo import DemoDatabase
from agent.errors import SettingsInvalid
from bot.local_workspace import LocalWorkspace

HELP_CHANNEL: Final = "helpdesk"
"""Where people answer what the bot could not; the page can be seen as any of them."""


def write_place(
    path: Path, workspace: LocalWorkspace, database: DemoDatabase, *, model: str
) -> None:
    """Write the settings, a NAME=VALUE a line, into a file that its owner alone can read.

    A shell reads it (`set -a; . FILE`), and so does systemd. Raises `SettingsInvalid` for a path
    that cannot be written to.
    """
    settings = {
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "DB_AGENT_SLACK_URL": workspace.api_url,
        "DB_AGENT_ESCALATION_CHANNEL": workspace.channels[HELP_CHANNEL],
        "DATABASE_URL": database.url,
        "DB_AGENT_STORE_URL": database.store_url,
        "DB_AGENT_MODEL": model,
    }
    text = "".join(f"{name}={shlex.quote(value)}\n" for name, value in settings.items())
    try:
        path.unlink(missing_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise SettingsInvalid(f"{path} cannot be written: {error.strerror}.") from error
