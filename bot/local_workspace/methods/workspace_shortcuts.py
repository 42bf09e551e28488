"""workspace.messageShortcut: what a person chooses in the menu of a message. Not Slack's."""

from __future__ import annotations

from bot.local_workspace import interactions
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.workspace_people import seen_message
from bot.local_workspace.shown import message_json
from bot.local_workspace.values import Json
from bot.local_workspace.world import App


def message_shortcut(call: Call) -> Json:
    """Chooses `callback_id` in the menu of the message at `channel` and `ts`.

    As in Slack, the app gets the message also where its bot is no member; what only one person
    sees has no menu. Waits for the acknowledgement.
    """
    call.require("callback_id")
    with call.world.lock:
        message = seen_message(call)
        if message.ephemeral_to is not None:
            raise SlackError("message_not_found")
        channel, app = call.world.channels[message.channel], _app_with(call)
        payload: Json = {
            **interactions.actor(call.workspace, app, call.user_id, "message_action"),
            "callback_id": call.text("callback_id"),
            "action_ts": call.world.new_ts(),
            "channel": {"id": channel.id, "name": channel.typed},
            "message_ts": message.ts,
            "message": message_json(call.world, message),
            "response_url": interactions.new_reply_address(
                call.workspace, app, call.user_id, channel, None
            ),
        }
        sent = call.workspace.deliveries
        delivery = sent.send(app.id, "interactive", payload, accepts_response=False)
    return interactions.await_ack(call.workspace, delivery)


def _app_with(call: Call) -> App:
    for app in call.world.apps.values():
        known = app.manifest.shortcuts
        if app.installed and any(each.callback_id == call.text("callback_id") for each in known):
            return app
    raise SlackError("unknown_shortcut")
