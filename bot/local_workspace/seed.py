"""Who and what is there when the workspace opens."""

from __future__ import annotations

from bot.local_workspace.commons import Commons
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


def partner_world(commons: Commons, team_id: str, name: str, domain: str) -> World:
    """Another workspace on the same server: two people and one channel; no app yet."""
    world = World(name, domain, team_id, commons)
    owner, member = world.new_id("U"), world.new_id("U")
    world.add_user(User(owner, "pat", "Pat Quinn", team_id, title="Owner", is_owner=True))
    world.add_user(User(member, "lee", "Lee Park", team_id, title="Buyer"))
    about = "Everyone, everything"
    world.add_channel(
        Channel(world.new_id("C"), "general", "channel", now(), owner, [owner, member], about)
    )
    return world
