"""workspace.*: what people do in a chat client and Slack has no public method for.

These methods are this workspace's own, not Slack's. They take a person's token (xoxp-).
"""

from __future__ import annotations

from typing import Any

from bot.local_workspace import interactions
from bot.local_workspace.blocks.validate import walk
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.workspace_views import after_submit
from bot.local_workspace.replies import answer
from bot.local_workspace.surfaces import View
from bot.local_workspace.values import Json, Message
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App

CLICKABLE = (
    "button",
    "icon_button",
    "feedback_buttons",
    "static_select",
    "radio_buttons",
    "overflow",
)


def click_button(call: Call) -> Json:
    """Clicks an element of a message (`channel`, `ts`) or of a view (`view_id`).

    `action_id` names it; `block_id` where the action_id alone is not enough; `value` chooses one
    of the feedback buttons or options. Waits for the acknowledgement and tells its delay.
    """
    call.require("action_id")
    if call.text("view_id"):
        return _click_in_view(call)
    with call.world.lock:
        message = seen_message(call)
        if not message.app_id:
            raise SlackError("no_such_element")
        element = _element(call, message.blocks or [])
        value = _value(call, element)
        side = call.workspace.of_member(message.user)
        if not side.world.apps[message.app_id].installed:
            raise SlackError("dispatch_failed", "[ERROR] the app was removed")
        delivery = interactions.click(side, call.user_id, message, element, value)
    return interactions.await_ack(call.workspace, delivery)


def _click_in_view(call: Call) -> Json:
    with call.world.lock:
        view, side = own_view(call)
        element = _element(call, view.body["blocks"])
        value = _value(call, element)
        delivery = interactions.click_in_view(side, call.user_id, view, element, value)
    return interactions.await_ack(call.workspace, delivery)


def seen_message(call: Call) -> Message:
    """The message at `channel` and `ts`, ephemeral ones to this person included."""
    call.require("channel", "ts")
    channel = call.joined_channel()
    message = call.world.messages[channel.id].get(call.text("ts"))
    if message is None or message.tombstone or message.ephemeral_to not in (None, call.user_id):
        raise SlackError("message_not_found")
    return message


def _element(call: Call, blocks: list[Json]) -> Json:
    for block in blocks:
        for _, each in walk(block):
            if each.get("type") not in CLICKABLE or each.get("action_id") != call.text("action_id"):
                continue
            if call.text("block_id") in ("", block["block_id"]):
                return {**each, "block_id": block["block_id"]}
    raise SlackError("no_such_element")


def _value(call: Call, element: Json) -> Any:
    wanted = call.args.get("value")
    if element["type"] == "feedback_buttons":
        known = [element[side]["value"] for side in ("positive_button", "negative_button")]
        if wanted not in known:
            raise SlackError("no_such_element", f"[ERROR] value must be one of: {known}")
        return wanted
    if "options" in element:
        for option in element["options"]:
            if option["value"] == wanted:
                return option
        raise SlackError("no_such_element", "[ERROR] no option has this value")
    return element.get("value")


def slash_command(call: Call) -> Json:
    """Types a slash command in a channel. Waits for the acknowledgement.

    A response in the acknowledgement is shown, as Slack does. Commands have no thread.
    """
    call.require("channel", "command")
    with call.world.lock:
        channel = call.open_channel()
        app = _app_with_command(call, call.text("command"))
        delivery = interactions.run_command(
            call.workspace, app, call.user_id, channel, call.text("command"), call.text("text")
        )
    outcome = interactions.await_ack(call.workspace, delivery)
    payload = outcome["ack_payload"]
    if isinstance(payload, dict) and payload:
        key = str(delivery.envelope["payload"]["response_url"]).rpartition("/")[2]
        with call.world.lock:
            answer(call.workspace, call.world.reply_addresses[key], payload)
    return outcome


def _app_with_command(call: Call, name: str) -> App:
    # Names are not namespaced: the app that was installed last wins.
    for app in reversed(call.world.apps.values()):
        if app.installed and any(command.name == name for command in app.manifest.commands):
            return app
    raise SlackError("unknown_command")


def open_app_home(call: Call) -> Json:
    """Opens the `home` or `messages` tab (argument `tab`) of `app`, or of the first with a Home."""
    tab = call.text("tab") or "home"
    if tab not in ("home", "messages"):
        raise SlackError("invalid_arguments", "[ERROR] tab must be home or messages")
    app = some_app(call)
    interactions.open_home(call.workspace, app, call.user_id, tab)
    channel = call.world.direct_messages(call.user_id, app.bot_user)
    return {"channel": channel.id, "app": app.id}


def some_app(call: Call) -> App:
    """The installed app named by `app`, or the first with a Home tab, or the first one."""
    wanted = call.text("app")
    apps = [each for each in call.world.apps.values() if each.installed]
    apps.sort(key=lambda each: not each.manifest.home_tab)
    found = next((each for each in apps if wanted in ("", each.id)), None)
    if found is None:
        raise SlackError("app_not_found")
    return found


def stop_session(call: Call) -> Json:
    """Presses the stop button of the agent's work in a thread (`channel`, `thread_ts`)."""
    call.require("thread_ts")
    channel = call.joined_channel()
    app = some_app(call)
    if "agent_session_stopped" not in app.manifest.events:
        raise SlackError("no_stop_button", "[ERROR] the app does not subscribe to the event")
    interactions.stop_session(call.workspace, app, call.user_id, channel, call.text("thread_ts"))
    return {}


def submit_view(call: Call) -> Json:
    """Submits a modal. `values` is Slack's state: block_id -> action_id -> {type, value…}."""
    with call.world.lock:
        view, side = own_view(call)
        values = call.structure("values") or {}
        delivery = interactions.submit(side, call.user_id, view, values)
    outcome = interactions.await_ack(call.workspace, delivery)
    with call.world.lock:
        return {**outcome, **after_submit(side, view, outcome["ack_payload"])}


def close_view(call: Call) -> Json:
    """Closes a modal without submitting it."""
    view, side = own_view(call)
    interactions.close(side, call.user_id, view)
    return {}


def own_view(call: Call) -> tuple[View, Workspace]:
    """The open modal, or the Home tab, named by `view_id`, and the workspace of its app.

    That is another than the person's where they clicked in a channel that both share.
    """
    call.require("view_id")
    for side in call.workspace.teams.values():
        for view in [*side.world.views.values(), *side.world.homes.values()]:
            if view.id == call.text("view_id") and view.user_id == call.user_id and view.open:
                return view, side
    raise SlackError("not_found")
