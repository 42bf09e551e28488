"""What a person does besides writing: clicks, commands, modals, the Home tab, the stop button.

Each becomes the payload that Slack would send. The app has three seconds to acknowledge it; then
the person sees an error, as in Slack.
"""

from __future__ import annotations

import secrets
import time
from typing import Any

from bot.local_workspace import app_events, happenings, wording
from bot.local_workspace.envelopes import Delivery
from bot.local_workspace.errors import SlackError
from bot.local_workspace.grants import ReplyAddress
from bot.local_workspace.methods.views import stack_of
from bot.local_workspace.shown import message_json
from bot.local_workspace.surfaces import View
from bot.local_workspace.values import Channel, Json, Message
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App


def await_ack(workspace: Workspace, delivery: Delivery) -> Json:
    """Waits until the app has acknowledged. Raises what the person would see if it does not."""
    if not any(attempt.connection for attempt in delivery.attempts):
        raise SlackError("dispatch_failed", "[ERROR] the app is not connected")
    delivery.done.wait(workspace.deliveries.ack_within_s + 1)
    if not delivery.acked:
        late = delivery.failure in ("timeout", "http_timeout")
        raise SlackError("operation_timeout" if late else "dispatch_failed")
    attempt = delivery.attempts[-1]
    taken_s = (attempt.acked_at or attempt.sent_at) - attempt.sent_at
    return {
        "envelope_id": delivery.envelope["envelope_id"],
        "ack_ms": round(taken_s * 1000, 1),
        "ack_payload": delivery.ack_payload,
    }


def new_reply_address(
    workspace: Workspace, app: App, user_id: str, channel: Channel, message: Message | None
) -> str:
    """A response_url for one interaction."""
    address = ReplyAddress(
        key=secrets.token_urlsafe(18),
        app_id=app.id,
        user_id=user_id,
        channel=channel.id,
        issued=time.monotonic(),
        message_ts=message.ts if message else None,
        thread_ts=message.thread_ts if message else None,
        team_id=app.team_id,
    )
    workspace.world.reply_addresses[address.key] = address
    return f"{workspace.world.base_url}/respond/{address.key}"


def actor(workspace: Workspace, app: App, user_id: str, kind: str) -> Json:
    """What every interactive payload says about who did it, and where."""
    world = workspace.world
    user = workspace.of_member(user_id).world.users[user_id]
    return {
        "type": kind,
        "user": {
            "id": user.id,
            "username": user.name,
            "name": user.name,
            "team_id": user.team_id,
        },
        "api_app_id": app.id,
        "token": "local-workspace",
        "team": {"id": world.team_id, "domain": world.domain},
        "enterprise": None,
        "is_enterprise_install": False,
        "trigger_id": world.new_trigger(user_id, app.id),
    }


def click(
    workspace: Workspace, user_id: str, message: Message, element: Json, value: Any
) -> Delivery:
    """A click on an interactive element of a message: a block_actions payload."""
    world = workspace.world
    app = world.apps[message.app_id]
    channel = world.channels[message.channel]
    hidden = message.ephemeral_to is not None
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": hidden,
    }
    if message.is_reply:
        container["thread_ts"] = message.thread_ts
    payload = {
        **actor(workspace, app, user_id, "block_actions"),
        "container": container,
        "channel": {"id": channel.id, "name": channel.typed},
        "state": {"values": {}},
        "response_url": new_reply_address(workspace, app, user_id, channel, message),
        "actions": [_action(world.new_ts(), element, value)],
    }
    if not hidden:
        payload["message"] = message_json(world, message)
    return workspace.deliveries.send(app.id, "interactive", payload, accepts_response=False)


def click_in_view(
    workspace: Workspace, user_id: str, view: View, element: Json, value: Any
) -> Delivery:
    """A click inside a modal or the Home tab."""
    app = workspace.world.apps[view.app_id]
    payload = {
        **actor(workspace, app, user_id, "block_actions"),
        "container": {"type": "view", "view_id": view.id},
        "view": view.as_slack(workspace.world.team_id, app.bot_id),
        "actions": [_action(workspace.world.new_ts(), element, value)],
    }
    return workspace.deliveries.send(app.id, "interactive", payload, accepts_response=False)


def _action(ts: str, element: Json, value: Any) -> Json:
    action: Json = {
        "type": element["type"],
        "action_id": element.get("action_id", ""),
        "block_id": element["block_id"],
        "action_ts": ts,
    }
    if "text" in element:
        action["text"] = element["text"]
    if element["type"] in ("static_select", "radio_buttons", "overflow"):
        action["selected_option"] = value
    elif value is not None:
        action["value"] = value
    return action


def run_command(
    workspace: Workspace, app: App, user_id: str, channel: Channel, command: str, text: str
) -> Delivery:
    """A slash command, with its flat payload."""
    world = workspace.world
    if any(each.name == command and each.escapes for each in app.manifest.commands):
        members = {user.name: user.id for user in world.users.values()}
        rooms = {each.name: each.id for each in world.channels.values() if each.name}
        text = wording.typed_after_command(text, members, rooms)
    else:
        text = wording.escaped(text)
    payload = {
        "token": "local-workspace",
        "team_id": world.team_id,
        "team_domain": world.domain,
        "channel_id": channel.id,
        "channel_name": channel.typed,
        "user_id": user_id,
        "user_name": world.users[user_id].name,
        "command": command,
        "text": text,
        "api_app_id": app.id,
        "is_enterprise_install": "false",
        "response_url": new_reply_address(workspace, app, user_id, channel, None),
        "trigger_id": world.new_trigger(user_id, app.id),
    }
    return workspace.deliveries.send(app.id, "slash_commands", payload, accepts_response=True)


def submit(workspace: Workspace, user_id: str, view: View, values: Json) -> Delivery:
    """The submit button of a modal: a view_submission payload."""
    app = workspace.world.apps[view.app_id]
    shown = view.as_slack(workspace.world.team_id, app.bot_id)
    payload = {
        **actor(workspace, app, user_id, "view_submission"),
        "view": {**shown, "state": {"values": values}},
        "response_urls": [],
    }
    return workspace.deliveries.send(app.id, "interactive", payload, accepts_response=True)


def close(workspace: Workspace, user_id: str, view: View) -> None:
    """A modal closed by the person; the app hears of it only if it asked to.

    One with `clear_on_close` takes all below it along; else the one below is seen again.
    """
    clears = bool(view.body.get("clear_on_close"))
    app = workspace.world.apps[view.app_id]
    for each in reversed(stack_of(workspace.world, view)) if clears else [view]:
        each.open = False
        if each.body.get("notify_on_close"):
            payload = {
                **actor(workspace, app, user_id, "view_closed"),
                "view": each.as_slack(workspace.world.team_id, app.bot_id),
                "is_cleared": clears,
            }
            workspace.deliveries.send(app.id, "interactive", payload, accepts_response=False)
    show_below(workspace, view)


def show_below(workspace: Workspace, view: View) -> None:
    """Shows the person the modal on which a closed one stood, if it is still open."""
    below = workspace.world.views.get(view.previous_id or "")
    if below is not None and below.open:
        bot_id = workspace.world.apps[view.app_id].bot_id
        shown = below.as_slack(workspace.world.team_id, bot_id)
        workspace.changes.add("view", shown, only_for=view.user_id)


def open_home(workspace: Workspace, app: App, user_id: str, tab: str) -> None:
    """A person opens the app: app_home_opened, for the tab `home` or `messages`."""
    world = workspace.world
    channel = world.direct_messages(user_id, app.bot_user)
    event: Json = {
        "type": "app_home_opened",
        "user": user_id,
        "channel": channel.id,
        "tab": tab,
        "event_ts": world.new_ts(),
    }
    home = world.homes.get((app.id, user_id))
    if tab == "home" and home is not None:
        event["view"] = home.as_slack(world.team_id, app.bot_id)
    app_events.send_event(workspace, app, "app_home_opened", channel, event)


def stop_session(workspace: Workspace, app: App, user_id: str, channel: Channel, ts: str) -> None:
    """The stop button: open streams of the thread end, and the app is told to stop its work."""
    world = workspace.world
    stopped = []
    for message in world.messages[channel.id].values():
        stream = message.stream
        if message.root == ts and stream is not None and stream.open and message.app_id == app.id:
            stream.open, stream.stopped_by_user = False, True
            stopped.append(message.ts)
            happenings.tell_pages(workspace, message)
    event: Json = {
        "type": "agent_session_stopped",
        "channel": channel.id,
        "thread_ts": ts,
        "user": user_id,
        "streaming_message_ts": stopped,
        "event_ts": world.new_ts(),
    }
    app_events.send_event(workspace, app, "agent_session_stopped", channel, event)
