"""Those whom a bot meets beside its colleagues: for tests, and for whoever wants to see it."""

from __future__ import annotations

from bot.local_workspace.manifest import read_manifest
from bot.local_workspace.oauth import installing
from bot.local_workspace.seed import YOU
from bot.local_workspace.values import Channel, User, now
from bot.local_workspace.world import App, World

OTHER_TEAM = "T0LOCALEXT"
OTHER_BOT = "pollbot"
SLACKBOT = "USLACKBOT"
PARTNERS = "partners"


def add_cast(world: World) -> None:
    """Adds one of each kind: an administrator, guests of several channels and of one, somebody of
    another organisation with a channel that it shares, who was deactivated, another app's bot.
    """
    ada, gus, sol, eva, dan = people = (
        User("U0LOCALADA", "ada", "Ada Lindqvist", world.team_id, is_admin=True),
        User("U0LOCALGUS", "gus", "Gus Marini", world.team_id, is_restricted=True),
        User("U0LOCALSOL", "sol", "Sol Reyes", world.team_id, is_ultra_restricted=True),
        User("U0LOCALEVA", "eva", "Eva Novak", OTHER_TEAM, is_stranger=True),
        User("U0LOCALDAN", "dan", "Dan Whitby", world.team_id, deleted=True),
    )
    titles = ("Administrator", "Guest", "Guest of one channel", "Partner Ltd", "Deactivated")
    for person, title in zip(people, titles, strict=True):
        person.title = title
        world.add_user(person)
    other = install_bot(world, OTHER_BOT)
    inside = {
        "general": [ada.id, gus.id, dan.id],
        "data": [ada.id, gus.id, sol.id, dan.id, other.bot_user],
        "helpdesk": [ada.id],
    }
    for channel in world.channels.values():
        channel.members += inside.get(channel.name, [])
    members = [YOU, "U0LOCALMIA", ada.id, eva.id]
    shared = Channel("C0LOCALEXT", PARTNERS, "channel", now(), YOU, members)
    shared.topic, shared.is_ext_shared, shared.outsiders = "With Partner Ltd", True, [OTHER_TEAM]
    world.add_channel(shared)


def install_bot(world: World, name: str) -> App:
    """Another app, that writes where it is let in, and subscribes to nothing."""
    scopes = ["channels:history", "channels:read", "chat:write"]
    manifest = read_manifest(
        {
            "display_information": {"name": name},
            "oauth_config": {"scopes": {"bot": scopes}},
            "settings": {"socket_mode_enabled": True},
        }
    )
    app = installing.install(world, installing.register(world, manifest))
    installing.lasting_token(world, app)
    return app


def slackbot(world: World) -> User:
    """Slack's own bot, which says of itself that it is none."""
    return world.users.get(SLACKBOT) or world.add_user(
        User(SLACKBOT, "slackbot", "Slackbot", world.team_id)
    )
