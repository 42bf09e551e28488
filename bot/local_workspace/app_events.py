"""Events on their way to apps: to which, as of which installation, in which envelope."""

from __future__ import annotations

from bot.local_workspace.values import Channel, Json, now
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App


def send_event(
    workspace: Workspace, app: App, subscription: str, channel: Channel | None, event: Json
) -> None:
    """Delivers one event to one app under a fresh event_id, if the app subscribed to it."""
    if subscription not in app.manifest.events:
        return
    world = workspace.of(app.team_id).world
    team_id = context = world.team_id
    if channel and channel.is_ext_shared and event["type"] == "message":
        # Slack puts the writer's team here, and the channel's host; whose event it is,
        # only the authorizations tell.
        team_id, context = event.get("team") or team_id, channel.host
    payload: Json = {
        "token": "local-workspace",
        "team_id": team_id,
        "context_team_id": context,
        "context_enterprise_id": None,
        "api_app_id": app.id,
        "event": event,
        "type": "event_callback",
        "event_id": world.new_id("Ev"),
        "event_time": now(),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": world.team_id,
                "user_id": app.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": bool(channel and channel.is_ext_shared),
        "event_context": world.new_id("4-"),
    }
    workspace.deliveries.send(app.id, "events_api", payload, accepts_response=False)


def apps_in(workspace: Workspace, channel: Channel, actor: str = "") -> list[App]:
    """The apps whose bots are in a channel, each once: what several installations see is told once.

    It is told as of one of them: that in the actor's workspace, or the host's, or any.
    """
    near = (workspace.of_member(actor).world.team_id, channel.host)

    def distance(app: App) -> int:
        return near.index(app.team_id) if app.team_id in near else len(near)

    chosen: dict[str, App] = {}
    for app in bots_in(workspace, channel):
        known = chosen.setdefault(app.id, app)
        chosen[app.id] = min(known, app, key=distance)
    return list(chosen.values())


def bots_in(workspace: Workspace, channel: Channel) -> list[App]:
    """Every installation of an app whose bot is in a channel."""
    return [
        app
        for side in workspace.teams.values()
        for app in side.world.apps.values()
        if app.installed and app.bot_user in channel.members
    ]


def tokens_revoked(workspace: Workspace, app: App) -> None:
    """The tokens of an app in this workspace are taken back."""
    event: Json = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [app.bot_user]}}
    send_event(workspace, app, "tokens_revoked", None, event)


def uninstalled(workspace: Workspace, app: App) -> None:
    """An app was removed from this workspace."""
    send_event(workspace, app, "app_uninstalled", None, {"type": "app_uninstalled"})
