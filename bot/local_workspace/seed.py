"""Who and what is there when the workspace opens."""

from __future__ import annotations

from bot.local_workspace.values import Channel, User, now
from bot.local_workspace.world import World

YOU = "U0LOCALYOU"


def new_world() -> World:
    """A workspace with you, two colleagues and four channels; no app yet."""
    world = World(team_name="Local workspace", domain="local-workspace")
    people = (
        User(YOU, "you", "You", world.team_id, title="The person at this browser", is_owner=True),
        User("U0LOCALMIA", "mia", "Mia Torres", world.team_id, title="Store operations"),
        User("U0LOCALBEN", "ben", "Ben Okafor", world.team_id, title="Finance"),
    )
    for person in people:
        world.add_user(person)
    members = [person.id for person in people]
    for channel_id, name, kind, topic in (
        ("C0LOCALGEN", "general", "channel", "Everyone, everything"),
        ("C0LOCALDAT", "data", "channel", "Questions to the database"),
        ("C0LOCALHLP", "helpdesk", "channel", "People answer here what the bot could not"),
        ("C0LOCALPRV", "finance-private", "group", "Private: you and Ben"),
    ):
        inside = members if kind == "channel" else [YOU, "U0LOCALBEN"]
        world.add_channel(
            Channel(
                channel_id,
                name,
                "channel" if kind == "channel" else "group",
                now(),
                YOU,
                list(inside),
                topic,
            )
        )
    return world
