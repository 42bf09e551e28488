"""views.*: modals and the Home tab."""

from __future__ import annotations

import json
import secrets

from bot.local_workspace.blocks.validate import check_view
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.slack_files import file_problem
from bot.local_workspace.values import Json, View

MAX_VIEW_BYTES = 250_000
MAX_STACK = 3


def open_view(call: Call) -> Json:
    """Opens a modal for the person behind a trigger_id."""
    call.require("view")
    if not call.text("trigger_id"):
        raise SlackError("invalid_arguments", "[ERROR] missing required field: trigger_id")
    body = _read_view(call, "modal")
    user_id = call.world.use_trigger(call.text("trigger_id"), call.app.id)
    view = _new_view(call, user_id, body)
    return _show(call, view)


def push(call: Call) -> Json:
    """Opens a modal on top of the open one."""
    call.require("view", "trigger_id")
    body = _read_view(call, "modal")
    user_id = call.world.use_trigger(call.text("trigger_id"), call.app.id)
    below = next(
        (
            each
            for each in reversed(call.world.views.values())
            if each.user_id == user_id and each.open
        ),
        None,
    )
    return _show(call, stacked(call, user_id, body, below))


def stacked(call: Call, user_id: str, body: Json, below: View | None) -> View:
    """A modal on top of another; three at most."""
    view = _new_view(call, user_id, body)
    if below is not None:
        root = below.root_id or below.id
        stack = [each for each in call.world.views.values() if (each.root_id or each.id) == root]
        if len([each for each in stack if each.open]) > MAX_STACK - 1:
            raise SlackError("push_limit_reached")
        view.root_id, view.previous_id = root, below.id
    return view


def update(call: Call) -> Json:
    """Changes an open view, found by view_id or external_id; hash_conflict."""
    call.require("view")
    view = _find(call)
    if call.text("hash") and call.text("hash") != view.hash:
        raise SlackError("hash_conflict")
    view.body, view.hash = _read_view(call, str(view.body["type"])), new_hash()
    return _show(call, view)


def publish(call: Call) -> Json:
    """Puts the Home tab before one person; hash_conflict."""
    call.require("user_id", "view")
    user_id = call.text("user_id")
    if user_id not in call.world.users:
        raise SlackError("invalid_arguments", "[ERROR] invalid `user_id`")
    if not call.app.manifest.home_tab:
        raise SlackError("not_enabled")
    body = _read_view(call, "home")
    view = call.world.homes.get((call.app.id, user_id))
    if view is None:
        view = View(call.world.new_id("V"), call.app.id, user_id, body, new_hash())
        call.world.homes[call.app.id, user_id] = view
    elif call.text("hash") and call.text("hash") != view.hash:
        raise SlackError("hash_conflict")
    view.body, view.hash = body, new_hash()
    return _show(call, view)


def new_hash() -> str:
    """A fresh view hash."""
    return f"{secrets.randbelow(10**10)}.{secrets.token_hex(4)}"


def _read_view(call: Call, kind: str) -> Json:
    view = check_view(call.structure("view"), lambda file: file_problem(call, file))
    if view["type"] != kind:
        raise SlackError("invalid_arguments", f"[ERROR] a {kind} view is expected here")
    if len(json.dumps(view)) > MAX_VIEW_BYTES:
        raise SlackError("view_too_large")
    return view


def _new_view(call: Call, user_id: str, body: Json) -> View:
    view = View(call.world.new_id("V"), call.app.id, user_id, body, new_hash())
    call.world.views[view.id] = view
    return view


def _find(call: Call) -> View:
    wanted, external = call.text("view_id"), call.text("external_id")
    for view in call.world.views.values():
        matches = view.id == wanted or (external and view.body.get("external_id") == external)
        if matches and view.app_id == call.app.id and view.open:
            return view
    raise SlackError("not_found")


def _show(call: Call, view: View) -> Json:
    shown = view.as_slack(call.world.team_id, call.app.bot_id)
    call.workspace.changes.add("view", shown, only_for=view.user_id)
    return {"view": shown}
