"""assistant.threads.* and agents.sessions.*: the status line, prompts and titles of an agent."""

from __future__ import annotations

from typing import Any

from bot.local_workspace import happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.surfaces import Session
from bot.local_workspace.values import Json

STATUSES = ("active", "processing", "suspended", "closed")
WORKING = "is working…"
"""What a client says of a session that is processing."""
MAX_TITLE = 200
MAX_LOADING_MESSAGES = 10
MAX_LOADING_TEXT = 50
MAX_PROMPTS = 4


def set_status(call: Call) -> Json:
    """The status line of a thread, with loading messages; an empty text takes it away."""
    call.require("channel_id", "thread_ts")
    if call.args.get("status") is None:
        raise SlackError("invalid_arguments", "[ERROR] missing required field: status")
    session = _session(call)
    loading = call.structure("loading_messages") or []
    if not isinstance(loading, list) or len(loading) > MAX_LOADING_MESSAGES:
        raise SlackError(
            "invalid_arguments",
            f"[ERROR] no more than {MAX_LOADING_MESSAGES} items allowed"
            " [json-pointer:/loading_messages]",
        )
    for position, line in enumerate(loading):
        if not isinstance(line, str) or not 1 <= len(line) <= MAX_LOADING_TEXT:
            raise SlackError(
                "invalid_arguments",
                f"[ERROR] must be less than {MAX_LOADING_TEXT + 1} characters"
                f" [json-pointer:/loading_messages/{position}]",
            )
    session.line, session.loading = call.text("status"), loading
    # The older method is a bridge to the newer one: a text means processing, none means active.
    session.status = "processing" if session.line else "active"
    happenings.tell_status(call.workspace, session)
    return {}


def set_title(call: Call) -> Json:
    """The title of a thread."""
    call.require("channel_id", "thread_ts", "title")
    session = _session(call)
    session.title = call.text("title")
    happenings.tell_status(call.workspace, session)
    return {}


def set_suggested_prompts(call: Call) -> Json:
    """Up to four prompts for direct messages, or for one thread of them."""
    _agents_only(call)
    channel = call.channel("channel_id")
    prompts: Any = call.structure("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MAX_PROMPTS:
        raise SlackError(
            "invalid_arguments", f"[ERROR] 1 to {MAX_PROMPTS} items allowed [json-pointer:/prompts]"
        )
    for position, prompt in enumerate(prompts):
        if not isinstance(prompt, dict) or not prompt.get("title") or not prompt.get("message"):
            raise SlackError(
                "invalid_arguments",
                "[ERROR] missing required field: title or message"
                f" [json-pointer:/prompts/{position}]",
            )
    shown = {"title": call.text("title"), "prompts": prompts}
    call.world.prompts[channel.id, call.text("thread_ts")] = shown
    call.workspace.changes.add(
        "prompts", {"channel": channel.id, "thread_ts": call.text("thread_ts"), **shown}
    )
    return {}


def sessions_set_status(call: Call) -> Json:
    """active, processing, suspended or closed; warns when the app could not be told to stop."""
    status = call.text("status")
    if status not in STATUSES:
        raise SlackError("invalid_status")
    session = _session(call, "thread_ts_required")
    if call.text("title") and not session.title:
        session.title = _title(call)
    session.status = status
    session.line = WORKING if status == "processing" else ""
    session.loading = []
    happenings.tell_status(call.workspace, session)
    body: Json = {"status": status, "agent_status": status, "title": session.title}
    if "agent_session_stopped" not in call.app.manifest.events:
        warning = "missing_agent_session_stopped_event_subscription"
        body |= {"warning": warning, "response_metadata": {"warnings": [warning]}}
    return body


def sessions_rename(call: Call) -> Json:
    """Another title for a session."""
    call.require("title")
    session = _session(call, "thread_ts_required")
    session.title = _title(call)
    happenings.tell_status(call.workspace, session)
    return {"title": session.title}


def _title(call: Call) -> str:
    title = call.text("title")
    if len(title) > MAX_TITLE:
        raise SlackError(
            "invalid_arguments",
            f"[ERROR] must be less than {MAX_TITLE + 1} characters [json-pointer:/title]",
        )
    return title


def _session(call: Call, without_thread: str = "invalid_thread_ts") -> Session:
    _agents_only(call)
    channel = call.channel("channel_id")
    if call.user_id not in channel.members:
        raise SlackError("channel_not_found")
    thread_ts = call.text("thread_ts")
    if not thread_ts:
        raise SlackError(without_thread)
    root = call.world.messages[channel.id].get(thread_ts)
    if root is None or root.is_reply or root.ephemeral_to is not None:
        raise SlackError("invalid_thread_ts")
    return call.world.session(call.app.id, channel.id, thread_ts)


def _agents_only(call: Call) -> None:
    if not call.app.manifest.is_agent:
        raise SlackError("not_agent_app")
