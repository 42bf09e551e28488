"""workspace.postMany and workspace.transcript: a crowd, and what came of it. Not Slack's."""

from __future__ import annotations

import time

from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods import chat
from bot.local_workspace.methods.call import Call
from bot.local_workspace.shown import message_json
from bot.local_workspace.values import Json


def post_many(call: Call) -> Json:
    """Posts `posts`, each {user, channel, text, thread_ts} as chat.postMessage would for that user.

    All at once, or spread evenly over `within_s` seconds. Answers with their `ts`, in order.
    """
    posts = call.structure("posts")
    if not isinstance(posts, list) or not all(isinstance(each, dict) for each in posts):
        raise SlackError("invalid_arguments", "[ERROR] missing required field: posts")
    within_s = call.seconds("within_s", 0.0)
    tokens = {token.user_id: token for token in call.world.tokens.values() if token.kind == "user"}
    started, written = time.monotonic(), []
    for number, post in enumerate(posts):
        time.sleep(max(0.0, started + within_s * number / len(posts) - time.monotonic()))
        token = tokens.get(str(post.get("user")))
        if token is None:
            raise SlackError("user_not_found")
        with call.world.lock:
            written.append(chat.post_message(Call(call.workspace, token, post))["ts"])
    return {"ts": written}


def transcript(call: Call) -> Json:
    """Every message of the workspace, ephemeral ones too, and how the envelopes fared."""
    messages = [
        message_json(call.world, each) | {"channel": each.channel, "only_for": each.ephemeral_to}
        for stored in call.world.messages.values()
        for each in stored.values()
    ]
    return {"messages": messages, "envelopes": call.workspace.deliveries.counts()}
