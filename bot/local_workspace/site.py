"""The HTTP side: routes, who may knock (Host, Origin), the page and its stream of changes."""

from __future__ import annotations

import functools
import json
import logging
import mimetypes
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from typing import Any

from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

from bot.local_workspace import replies, web_api
from bot.local_workspace.errors import SlackError
from bot.local_workspace.json_text import read_json
from bot.local_workspace.live import Change
from bot.local_workspace.methods import slack_files
from bot.local_workspace.oauth import page as consent
from bot.local_workspace.seats import Seat, Seats
from bot.local_workspace.workspace import Workspace

log = logging.getLogger(__name__)

BEAT_S = 15.0
PAGE = resources.files("bot.local_workspace") / "page"
ROUTES = Map(
    [
        Rule("/", endpoint="index"),
        Rule("/page/changes", endpoint="changes"),
        Rule("/page/<name>", endpoint="asset"),
        Rule("/api/<method>", endpoint="api"),
        Rule("/oauth/v2/authorize", endpoint="authorize", methods=["GET", "POST"]),
        Rule("/link/", endpoint="link", websocket=True),
        Rule("/upload/<key>", endpoint="upload", methods=["POST"]),
        Rule("/respond/<key>", endpoint="respond", methods=["POST"]),
        Rule("/files/<file_id>/<name>", endpoint="file"),
        Rule("/health", endpoint="health"),
    ]
)
# Nothing from elsewhere, and nothing framed: the page shows what models and databases wrote.
PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
WsgiReply = Iterable[bytes]


class Site:
    """The WSGI application of the workspace, and of the others beside it.

    The page shows `person`, or the member whom it was opened for with /?as=NAME, of the workspace
    /?team=ID where that is not the first.
    """

    def __init__(self, workspace: Workspace, person: str, port: int, behind: int) -> None:
        """`port` is where it is served; `behind` another that leads there, or the same."""
        self._workspace = workspace
        self._hosts = {
            each
            for host in ("127.0.0.1", "localhost")
            for each in (host, f"{host}:{port}", f"{host}:{behind}")
        }
        self._origins = {f"http://{host}:{port}" for host in ("127.0.0.1", "localhost")}
        self._cookie = f"local_workspace_{port}"
        self._first = person
        self._seats = Seats(workspace)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> WsgiReply:
        request = Request(environ)
        # A name that resolves here, typed into another site's script, must not reach us.
        if request.host not in self._hosts:
            return Response("unknown host", 403)(environ, start_response)
        try:
            endpoint, values = ROUTES.bind_to_environ(environ).match()
            response = getattr(self, f"_{endpoint}")(request, **values)
        except HTTPException as error:
            response = Response(f"{error.name}\n", error.code)
        except SlackError as error:
            response = Response(error.code, 404 if error.code == "file_not_found" else 403)
        reply: WsgiReply = response(environ, start_response)
        return reply

    # -- the page

    def _index(self, request: Request) -> Response:
        response = self._file_of_page("index.html")
        seat = self._seat(request)
        team, name = request.args.get("team", ""), request.args.get("as", "")
        wanted = self._seats.named(team, name, seat)
        if wanted is not None or seat is None:
            session = self._seats.session_of(wanted or self._first)
            response.set_cookie(self._cookie, session, httponly=True, samesite="Strict")
        return response

    def _asset(self, request: Request, name: str) -> Response:
        return self._file_of_page(name)

    def _file_of_page(self, name: str) -> Response:
        if name not in (each.name for each in PAGE.iterdir()):
            raise NotFound
        path = PAGE / name
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        return Response(path.read_bytes(), 200, PAGE_HEADERS, content_type=kind)

    def _seat(self, request: Request) -> Seat | None:
        """Who sits before the page, for a request that the page itself made."""
        seat = self._seats.get(request.cookies.get(self._cookie, ""))
        return seat if self._is_from_here(request) else None

    def _is_from_here(self, request: Request) -> bool:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._origins:
            return False
        return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")

    def _authorize(self, request: Request) -> Response:
        if request.method == "POST" and not self._is_from_here(request):
            return Response("not from this page", 403)
        # A link from the app leads here, so the page may not say yet that it asks itself.
        seat = self._seats.get(request.cookies.get(self._cookie, ""))
        return consent.answer(self._workspace, request, seat.person if seat else self._first)

    def _page_token(self, request: Request) -> str | None:
        seat = self._seat(request)
        return seat.token if seat else None

    def _changes(self, request: Request) -> Response:
        seat = self._seat(request)
        if seat is None:
            return Response("not_authed", 403)
        asked = request.headers.get("Last-Event-ID") or request.args.get("after") or "0"
        after = int(asked) if asked.isdecimal() else 0
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        stream = self._stream(after, seat.person)
        return Response(stream, 200, headers, content_type="text/event-stream")

    def _stream(self, after: int, person: str) -> Iterator[str]:
        yield "retry: 1000\n\n"
        for change in self._workspace.changes.follow(after, BEAT_S):
            if change is None:
                yield ": still here\n\n"
            elif change.only_for in (None, person) and self._may_see(person, change):
                data = json.dumps({"kind": change.kind, **change.body})
                yield f"id: {change.number}\ndata: {data}\n\n"

    def _may_see(self, person: str, change: Change) -> bool:
        world = self._workspace.of_member(person).world
        if change.kind == "user":
            return world.member(str(change.body["id"])) is not None
        if "channel" not in change.body:
            return True
        channel = world.channels.get(str(change.body["channel"]))
        return channel is not None and person in channel.members

    # -- the Web API and its companions

    def _api(self, request: Request, method: str) -> Response:
        return web_api.handle(self._workspace, request, method, self._page_token(request))

    def _respond(self, request: Request, key: str) -> Response:
        take = functools.partial(self._take_reply, request, key)
        return web_api.troubled(self._workspace, "response_url", take)

    def _take_reply(self, request: Request, key: str) -> Response:
        try:
            if request.mimetype == "application/json":
                body = read_json(request.get_data())
            else:
                body = read_json(request.form.get("payload") or "{}")
            if not isinstance(body, dict):
                raise SlackError("invalid_payload")
            replies.respond(self._workspace, key, body)
        except ValueError:
            return Response("invalid_payload", 400)
        except SlackError as error:
            log.info("response_url refused: %s %s", error.code, error.messages)
            return web_api.reply(error.as_slack(), 404 if error.code.endswith("_url") else 200, {})
        return Response("ok", 200)

    def _upload(self, request: Request, key: str) -> Response:
        take = functools.partial(self._take_upload, request, key)
        return web_api.troubled(self._workspace, "upload", take)

    def _take_upload(self, request: Request, key: str) -> Response:
        content = request.get_data(parse_form_data=False)
        if request.mimetype == "multipart/form-data":
            parts = list(request.files.values())
            content = parts[0].read() if parts else b""
        file = slack_files.receive_upload(self._workspace.world, key, content)
        if file is None:
            return Response("upload refused: unknown, done already, or another length", 400)
        return Response(f"OK - {len(content)}", 200)

    def _file(self, request: Request, file_id: str, name: str) -> Response:
        scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
        text = bearer if scheme.lower() == "bearer" else self._page_token(request)
        token = self._workspace.world.tokens.get(text or "")
        if token is None or not token.is_good:
            return Response("not_authed", 403)
        if token.kind == "bot" and "files:read" not in token.scopes:
            return Response("not_authed", 403)
        world = self._workspace.of(token.team_id).world
        file = world.files.get(file_id)
        if (
            file is None
            or file.content is None
            or not slack_files.may_read(world, file, token.user_id)
        ):
            raise SlackError("file_not_found")
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = {
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "sandbox",
            "Cache-Control": "private, max-age=3600",
        }
        if request.args.get("download") or not kind.startswith("image/"):
            headers["Content-Disposition"] = "attachment"
        return Response(file.content, 200, headers, content_type=kind)

    def _link(self, request: Request) -> Response:
        app_id = self._workspace.socket_mode.redeem(request.args.get("ticket", ""))
        if app_id is None:
            return Response("the ticket is unknown, used or too old", 403)
        self._workspace.socket_mode.serve(request.environ, app_id)
        # The connection was taken over by the WebSocket and is finished: nothing to answer.
        raise ConnectionResetError

    def _health(self, request: Request) -> Response:
        return Response("ok", 200)
