"""Messages and files the way Slack's JSON shows them."""

from __future__ import annotations

import mimetypes
from urllib.parse import quote

from bot.local_workspace.values import File, Json, Message, User
from bot.local_workspace.world import World


def message_json(world: World, message: Message) -> Json:
    """A message object, with reply counts on a root and file objects in place."""
    if message.tombstone:
        return _tombstone(world, message)
    body: Json = {
        "type": "message",
        "user": message.user,
        "ts": message.ts,
        "text": message.text,
        "team": world.team_id,
        **of_elsewhere(world, message),
    }
    if message.username:
        del body["user"]
        body |= {"username": message.username, "bot_id": message.bot_id}
    elif message.bot_id:
        body |= {"bot_id": message.bot_id, "app_id": message.app_id}
        home = world.commons.team_of(message.user) or world
        body["bot_profile"] = bot_profile(home, message.app_id)
    for name in ("subtype", "blocks", "client_msg_id", "metadata", "edited", "attachments"):
        value = getattr(message, name)
        if value:
            body[name] = value
    if message.files:
        body["files"] = [file_json(world, world.files[each]) for each in message.files]
    if message.reactions:
        body["reactions"] = [
            {"name": name, "users": list(users), "count": len(users)}
            for name, users in message.reactions.items()
        ]
    if message.stream is not None:
        body["streaming_state"] = "in_progress" if message.stream.open else "completed"
    return body | _thread_fields(world, message)


def of_elsewhere(world: World, message: Message) -> Json:
    """What a message says of a writer from another team than the reader's."""
    writer = world.member(message.user)
    if writer is None or writer.team_id == world.team_id:
        return {}
    profile: Json = {
        "real_name": writer.real_name,
        "display_name": writer.name,
        "name": writer.name,
        "team": writer.team_id,
        "is_restricted": writer.is_restricted or writer.is_ultra_restricted,
        "is_ultra_restricted": writer.is_ultra_restricted,
    }
    named = dict.fromkeys(("team", "user_team", "source_team"), writer.team_id)
    return {**named, "user_profile": profile}


def page_address(world: World, query: str = "") -> str:
    """The address of a workspace's page; that of another than the first names its team."""
    is_first = world is next(iter(world.commons.worlds.values()))
    asked = "&".join(filter(None, ["" if is_first else f"team={world.team_id}", query]))
    return f"{world.base_url}/?{asked}" if asked else f"{world.base_url}/"


def user_json(world: World, user: User, viewer: str) -> Json:
    """A user object as `viewer` gets it.

    A stranger is who shares no channel with the viewer; that somebody who does is of another
    workspace, their team_id alone tells.
    """
    body = user.as_slack()
    channels = world.channels.values()
    if user.id not in world.users and not any(
        {user.id, viewer} <= set(each.members) for each in channels
    ):
        body["is_stranger"] = True
    return body


def _thread_fields(world: World, message: Message) -> Json:
    if message.is_reply:
        fields: Json = {"thread_ts": message.thread_ts}
        root = world.messages[message.channel].get(message.root)
        if root is not None:
            fields["parent_user_id"] = root.user
        return fields
    if not message.replies:
        return {"thread_ts": message.thread_ts} if message.thread_ts else {}
    stored = world.messages[message.channel]
    writers = list(dict.fromkeys(stored[ts].user for ts in message.replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(message.replies),
        "reply_users": writers,
        "reply_users_count": len(writers),
        "latest_reply": message.replies[-1],
        "is_locked": False,
        "subscribed": False,
    }


def _tombstone(world: World, message: Message) -> Json:
    return {
        "type": "message",
        "subtype": "tombstone",
        "hidden": True,
        "user": "USLACKBOT",
        "text": "This message was deleted.",
        "ts": message.ts,
    } | _thread_fields(world, message)


def bot_profile(world: World, app_id: str) -> Json:
    """The `bot_profile` that messages of an app carry."""
    app = world.apps[app_id]
    return {
        "id": app.bot_id,
        "app_id": app_id,
        "name": app.manifest.name,
        "deleted": False,
        "team_id": world.team_id,
        "user_id": app.bot_user,
    }


def file_json(world: World, file: File) -> Json:
    """A file object. Until it is ready its type is not known, as in Slack."""
    ready = world.file_is_ready(file)
    mimetype = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    extension = file.name.rpartition(".")[2].lower() if "." in file.name else "binary"
    path = f"{world.base_url}/files/{file.id}/{quote(file.name)}"
    body: Json = {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title or file.name,
        "mimetype": mimetype if ready else "",
        "filetype": extension if ready else "",
        "pretty_type": extension.upper() if ready else "",
        "user": file.owner,
        "size": file.length,
        "mode": "hosted",
        "is_external": False,
        "is_public": bool(file.shared_in),
        "url_private": path,
        "url_private_download": path + "?download=1",
        "channels": list(file.shared_in),
    }
    if file.alt_text:
        body["alt_txt"] = file.alt_text
    return body
