"""views.*: modals and the Home tab."""

from __future__ import annotations

import json
import secrets

from bot.local_workspace.blocks.validate import check_view
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.slack_files import file_problem
from bot.local_workspace.surfaces import View
from bot.local_workspace.values import Json
from bot.local_workspace.world import World

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
    mine = [each for each in call.world.views.values() if each.user_id == user_id and each.open]
    if not mine:
        raise SlackError("invalid_arguments", "[ERROR] no view is open to push another onto")
    return _show(call, stacked(call, user_id, body, mine[-1]))


def stacked(call: Call, user_id: str, body: Json, below: View) -> View:
    """A modal on top of another; three at most."""
    if len(stack_of(call.world, below)) >= MAX_STACK:
        raise SlackError("push_limit_reached")
    view = _new_view(call, user_id, body)
    view.root_id, view.previous_id = below.root_id or below.id, below.id
    return view


def stack_of(world: World, view: View) -> list[View]:
    """The open modals that `view` is one of, the lowest first."""
    root = view.root_id or view.id
    return [
        each for each in world.views.values() if (each.root_id or each.id) == root and each.open
    ]


def update(call: Call) -> Json:
    """Changes an open view, found by view_id or external_id; hash_conflict."""
    call.require("view")
    view = _find(call)
    if call.text("hash") and call.text("hash") != view.hash:
        raise SlackError("hash_conflict")
    body = _read_view(call, str(view.body["type"]))
    _check_external_id(call, body, view)
    view.body, view.hash = body, new_hash()
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


def _check_external_id(call: Call, body: Json, own: View | None = None) -> None:
    """Raises duplicate_external_id: an app has each such name once among its open views."""
    name = body.get("external_id")
    for view in call.world.views.values():
        is_other = view is not own and view.open and view.app_id == call.app.id
        if name and is_other and view.body.get("external_id") == name:
            raise SlackError("duplicate_external_id")


def _new_view(call: Call, user_id: str, body: Json) -> View:
    _check_external_id(call, body)
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
