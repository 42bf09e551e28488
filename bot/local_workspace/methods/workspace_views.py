"""What the acknowledgement of a submitted modal does to it."""

from __future__ import annotations

from typing import Any

from bot.local_workspace.blocks.validate import check_view
from bot.local_workspace.errors import SlackError
from bot.local_workspace.interactions import show_below
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.slack_files import file_problem
from bot.local_workspace.methods.views import new_hash, stack_of, stacked
from bot.local_workspace.surfaces import View
from bot.local_workspace.values import Json
from bot.local_workspace.workspace import Workspace


def after_submit(workspace: Workspace, view: View, ack: Any) -> Json:
    """Closes the modal, or does what `response_action` says: errors, update, push or clear."""
    action = ack.get("response_action") if isinstance(ack, dict) else None
    if action == "errors":
        return {"response_action": "errors", "errors": ack.get("errors") or {}}
    if action in ("update", "push"):
        app = workspace.world.apps[view.app_id]
        call = Call(workspace, app.as_caller(), {})
        body = check_view(ack.get("view"), lambda file: file_problem(call, file))
        if action == "push":
            view = stacked(call, view.user_id, body, view)
        view.body, view.hash = body, new_hash()
        shown = view.as_slack(workspace.world.team_id, app.bot_id)
        workspace.changes.add("view", shown, only_for=view.user_id)
        return {"response_action": action, "view": shown}
    if action not in (None, "clear"):
        raise SlackError("invalid_arguments", f"[ERROR] unknown response_action: {action}")
    view.open = False
    if action == "clear":
        for each in stack_of(workspace.world, view):
            each.open = False
    show_below(workspace, view)
    return {"response_action": action}
