"""One of the workspaces behind a server, as whoever started the server holds it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local_workspace.oauth import installing
from bot.local_workspace.workspace import Workspace


@dataclass(frozen=True)
class Installed:
    """An app in a workspace: the token to call with there, and whom to mention."""

    bot_token: str
    bot_user_id: str


class LocalTeam:
    """A workspace: its ids, its people's tokens by name, its channels by name."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        world = workspace.world
        self.team_id = world.team_id
        self.name = world.team_name
        self.user_tokens = {
            user.name: world.user_token(user.id) for user in world.users.values() if not user.is_bot
        }
        self.user_ids = {user.name: user.id for user in world.users.values() if not user.is_bot}
        self.channels = {each.name: each.id for each in world.channels.values() if each.name}

    def install(self, app_id: str) -> Installed:
        """Installs an app without asking anybody, as from its settings; its token does not end."""
        world = self._workspace.world
        app = installing.install(world, world.commons.registered[app_id])
        return Installed(installing.lasting_token(world, app), app.bot_user)
