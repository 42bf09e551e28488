"""/api/<method>: from an HTTP request to a handler, in the order in which Slack checks things."""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Callable

from werkzeug.wrappers import Request, Response

from bot.local_workspace.errors import SlackError
from bot.local_workspace.faults import RateLimited, ServerTrouble
from bot.local_workspace.grants import Token
from bot.local_workspace.json_text import read_json
from bot.local_workspace.methods.call import Call, missing_scope
from bot.local_workspace.methods.table import METHODS, Method
from bot.local_workspace.values import Json
from bot.local_workspace.workspace import Workspace

log = logging.getLogger(__name__)

NOBODY = Token("", "app", "", "", frozenset())
"""Who calls a method that takes no token: the app says itself who it is."""


def handle(workspace: Workspace, request: Request, name: str, page_token: str | None) -> Response:
    """Answers one call. `page_token` is the token of the page's session, where there is one.

    Raises ConnectionResetError where the connection is to break.
    """
    headers: dict[str, str] = {}
    try:
        method = METHODS.get(name)
        if method is None:
            raise SlackError("unknown_method", req_method=name)
        args, is_json = _arguments(request)
        token = _caller(workspace, method, request, args, page_token)
        workspace = workspace.of(token.team_id)
        headers["x-oauth-scopes"] = ",".join(sorted(token.scopes))
        headers["x-accepted-oauth-scopes"] = ",".join(method.scopes)
        _authorize(method, token)
        channel = str(args.get("channel", ""))
        workspace.limits.check(name, method.tier, token.text, channel)
        trouble = workspace.world.faults.of_call(name, channel, by_app=token.kind != "user")
        if is_json and not method.json and args:
            raise SlackError(
                "invalid_arguments", f"[ERROR] {name} reads form bodies, not application/json"
            )
        if trouble is not None:
            trouble.strike(taken=False)
        body = _run(method, Call(workspace, token, args))
        if trouble is not None:
            trouble.strike(taken=True)
    except RateLimited as limited:
        log.info("%s answered with 429", name)
        headers["Retry-After"] = str(limited.retry_after)
        return reply({"ok": False, "error": "ratelimited"}, 429, headers)
    except ServerTrouble as broken:
        return _page_of_trouble(broken.status)
    except SlackError as error:
        log.info("%s refused: %s %s", name, error.code, error.messages)
        return reply(error.as_slack(), 200, headers)
    return reply({"ok": True, **body}, 200, headers)


def troubled(workspace: Workspace, name: str, take: Callable[[], Response]) -> Response:
    """Takes a request of an app that is no call of a method; it goes wrong as those do."""
    trouble = workspace.world.faults.of_call(name, "", by_app=True)
    if trouble is None:
        return take()
    try:
        trouble.strike(taken=False)
        response = take()
        trouble.strike(taken=True)
    except RateLimited as limited:
        return Response("rate_limited", 429, {"Retry-After": str(limited.retry_after)})
    except ServerTrouble as error:
        return _page_of_trouble(error.status)
    return response


def _page_of_trouble(status: int) -> Response:
    """What stands before Slack's servers answers with a page for people when they do not."""
    head = f"<head><title>{status}</title></head>"
    page = f"<!DOCTYPE html>\n<html>{head}<body>Server Error</body></html>"
    return Response(page, status, content_type="text/html; charset=utf-8")


def reply(body: Json, status: int, headers: dict[str, str]) -> Response:
    """A JSON answer."""
    text = json.dumps(body, ensure_ascii=False)
    return Response(text, status, headers, content_type="application/json; charset=utf-8")


def _run(method: Method, call: Call) -> Json:
    with contextlib.nullcontext() if method.waits else call.world.lock:
        return method.handler(call)


def _arguments(request: Request) -> tuple[Json, bool]:
    """The arguments from query and body, and whether the body was JSON."""
    args: Json = dict(request.args.items())
    if request.mimetype == "application/json":
        return args | _json_arguments(request.get_data()), True
    return args | dict(request.form.items()), False


def _json_arguments(body: bytes) -> Json:
    if not body:
        return {}
    try:
        parsed = read_json(body)
    except ValueError:
        raise SlackError("invalid_json") from None
    if not isinstance(parsed, dict):
        raise SlackError("json_not_object")
    return parsed


def _caller(
    workspace: Workspace, method: Method, request: Request, args: Json, page_token: str | None
) -> Token:
    if method.tokens:
        return _authenticate(workspace, request, args, page_token)
    given = request.authorization
    if given is not None and given.type == "basic":
        args |= {"client_id": given.username or "", "client_secret": given.password or ""}
    return NOBODY


def _authenticate(
    workspace: Workspace, request: Request, args: Json, page_token: str | None
) -> Token:
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    text = bearer.strip() if scheme.lower() == "bearer" else args.pop("token", None) or page_token
    args.pop("token", None)
    if not text:
        raise SlackError("not_authed")
    token = workspace.world.tokens.get(str(text))
    if token is None:
        raise SlackError("invalid_auth")
    users = workspace.of(token.team_id).world.users
    if token.kind != "app" and users[token.user_id].deleted:
        raise SlackError("account_inactive")
    if token.revoked:
        raise SlackError("token_revoked")
    if token.expires <= time.monotonic():
        raise SlackError("token_expired")
    return token


def _authorize(method: Method, token: Token) -> None:
    if method.tokens and token.kind not in method.tokens:
        raise SlackError("not_allowed_token_type")
    if method.scopes and not token.scopes.intersection(method.scopes):
        raise missing_scope(token, method.scopes[0])
