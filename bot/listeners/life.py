"""The end of the app in a workspace: its token is revoked, or it is removed."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.access import Access
from bot.identity import Identity
from bot.installations.envelopes import bots_revoked

REVOKED = "its token was revoked"
REMOVED = "it was removed from the workspace"


def register(app: App, *, access: Access, me: Identity) -> None:
    """Listen to both. What runs is stopped by whoever waits for `access` to be lost."""

    def revoked(event: dict[str, Any]) -> None:
        if me.user_id in bots_revoked(event):
            access.lose(REVOKED)

    def removed() -> None:
        access.lose(REMOVED)

    app.event("tokens_revoked")(revoked)
    app.event("app_uninstalled")(removed)
