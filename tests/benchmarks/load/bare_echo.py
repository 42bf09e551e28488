"""A bare Bolt app that says the question back: what Slack and Bolt take by themselves."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from crowd.answering import SAYS

from load.bots import Kind
from load.model import Said


def serve_echo(pipe: Connection, place: dict[str, Any], kind: Kind) -> None:
    """Be that app, until told to stop: a status, a message, the pause of a model, the answer.

    It records nothing, and what it runs when it ends is lost.
    """
    from slack_bolt import App
    from slack_bolt.adapter.socket_mode import SocketModeHandler
    from slack_sdk import WebClient

    client = WebClient(place["bot_token"], base_url=place["api_url"])
    app = App(client=client, listener_executor=ThreadPoolExecutor(2 * kind.workers))
    said: list[Said] = []

    @app.event("app_mention")
    def echo(event: dict[str, Any], client: WebClient) -> None:
        began, channel, thread = time.time(), event["channel"], event["ts"]
        words = event["text"].partition("> ")[2]
        where = {"channel_id": channel, "thread_ts": thread}
        client.assistant_threads_setStatus(**where, status="is working…")
        card = client.chat_postMessage(channel=channel, thread_ts=thread, text="Working on it…")
        time.sleep(kind.pace_s)
        ended = time.time()
        client.chat_update(channel=channel, ts=card["ts"], text=f"{SAYS} {words}")
        said.append(Said(words, began, ended))

    @app.event("message")
    def ignore() -> None:
        """The same words come as a message too."""

    handler = SocketModeHandler(app, place["app_token"])
    handler.client.proxy = None
    handler.connect()
    pipe.send(os.getpid())
    while pipe.recv() is not None:
        fresh, said[:] = said[:], []
        pipe.send((fresh, 0))
    handler.close()
