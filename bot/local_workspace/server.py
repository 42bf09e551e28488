"""Starting and stopping a workspace."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import socket
import threading
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from bot.local_workspace.cast import PARTNERS, add_cast
from bot.local_workspace.deliveries import ACK_WITHIN_S, RETRY_PAUSES_S, Deliveries
from bot.local_workspace.errors import PortInUse
from bot.local_workspace.manifest import AppManifest, read_manifest
from bot.local_workspace.oauth import authorize, installing
from bot.local_workspace.oauth.grants import Registration
from bot.local_workspace.request_urls import HttpLink, RequestUrls
from bot.local_workspace.seed import YOU, new_world, partner_world
from bot.local_workspace.site import Site
from bot.local_workspace.team import Installed, LocalTeam
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App, World

HOST = "127.0.0.1"
OPEN_TO_THE_BOT = ("general", "data", "helpdesk", PARTNERS)
log = logging.getLogger(__name__)


class _QuietHandler(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        log.debug(message, *args)


class _Server(ThreadedWSGIServer):
    request_queue_size = 128


class LocalWorkspace:
    """A running workspace; `start` makes one, `stop` ends it. Also a context manager.

    There can be others behind the same server: see `add_team`.
    """

    def __init__(
        self, workspace: Workspace, app: Registration, here: Installed, server: _Server
    ) -> None:
        self._workspace = workspace
        self._server = server
        self._app = app
        self._link = _link(workspace, app)
        self.signing_secret = self._link.signing_secret
        self.url = f"{workspace.world.base_url}/"
        self.api_url = f"{workspace.world.base_url}/api/"
        self.bot_token = here.bot_token
        self.bot_user_id = here.bot_user_id
        self.app_token = app.app_token
        self.app_id = app.id
        self.client_id = app.client_id
        self.client_secret = app.client_secret
        self.authorize_url = f"{workspace.world.base_url}/oauth/v2/authorize"
        self.redirect_urls = app.redirect_urls
        """Where an installation may lead back to; more can be added."""
        self.team = LocalTeam(workspace)
        self.team_id = self.team.team_id
        self.user_tokens = self.team.user_tokens
        self.channels = self.team.channels
        self._thread = threading.Thread(
            target=server.serve_forever, name="workspace-http", daemon=True
        )
        self._thread.start()

    @classmethod
    def start(
        cls,
        manifest: dict[str, Any],
        *,
        port: int = 0,
        about: str = "",
        cast: bool = False,
        file_ready_after: float = 0.25,
        ack_within: float = ACK_WITHIN_S,
        retry_pauses: tuple[float, ...] = RETRY_PAUSES_S,
        installed: bool = True,
        kept: int | None = None,
        behind: int = 0,
    ) -> LocalWorkspace:
        """Starts a workspace with one app in it, on 127.0.0.1 and nowhere else.

        `port` 0 takes any free one. `about` is the line that tells the reader of the page which
        app and model answer. `cast`: one of each kind of person is there, and a shared channel.
        `file_ready_after`: seconds until an upload can be shown in a block.
        `ack_within` and `retry_pauses` (seconds) are Slack's unless a test is in a hurry.
        `installed`: whether the app is in the workspace already; if not, it has no bot token yet.
        `kept`: how many messages a channel keeps, for a crowd that asks all day; None: all.
        `behind`: a port of this machine that leads here: the app comes by it, people may.
        Raises ManifestError or PortInUse.
        """
        app_manifest = read_manifest(manifest)
        world = new_world()
        world.about, world.kept = about, kept
        world.faults.file_ready_after_s = file_ready_after
        server = _listen(port)
        world.commons.base_url = f"http://{HOST}:{behind or server.port}"
        workspace = Workspace(world, Deliveries(ack_within, retry_pauses))
        app = installing.register(world, app_manifest)
        if cast:
            add_cast(world)
        here = Installed("", "")
        if installed:
            here = LocalTeam(workspace).install(app.id)
            _let_in(world, world.apps[app.id])
        server.app = Site(workspace, YOU, server.port, behind or server.port)
        return cls(workspace, app, here, server)

    def add_team(self, name: str = "Partner Ltd", team_id: str = "T0PARTNER") -> LocalTeam:
        """Opens another workspace behind this server, with people of its own and no app."""
        domain = "-".join(name.lower().split())
        world = partner_world(self._workspace.world.commons, team_id, name, domain)
        world.about = self._workspace.world.about
        return LocalTeam(Workspace(world, self._workspace.deliveries, self._workspace))

    def consent(
        self, url: str, *, allow: bool = True, team: LocalTeam | None = None, person: str = ""
    ) -> str:
        """What a person in front of /oauth/v2/authorize does: Allow, or Cancel.

        `url` is the address of that page; `person` is a name. Returns the address that the browser
        is sent to. Raises SlackError where the page only tells what is wrong.
        """
        sent = dict(parse_qsl(urlsplit(url).query))
        sent |= {"team": team.team_id} if team else {}
        asked = authorize.read_request(self._workspace, {**sent, "as": person})
        return authorize.allow(asked) if allow else authorize.cancel(asked)

    def set_request_url(self, url: str) -> None:
        """Lets the app be called at `url` for everything, as on its settings page in Slack.

        Raises UrlNotVerified unless the app there gives a challenge back.
        """
        commands = {each.name: url for each in self._app.manifest.commands}
        self._link.change(RequestUrls(url, url, commands))

    def stop(self) -> None:
        """Closes the sockets and ends every thread of the workspace. Twice is harmless."""
        self._link.close()
        self._workspace.changes.close()
        for connection in self._workspace.deliveries.connections(self._app.id):
            connection.drop()
        self._workspace.deliveries.close()
        self._end_serving()
        self._server.server_close()
        self._thread.join(timeout=5)

    def _end_serving(self) -> None:
        ending = threading.Thread(target=self._server.shutdown, name="workspace-stop")
        ending.start()
        # The server looks whether to end only when it wakes up: a knock wakes it now.
        with contextlib.suppress(OSError):
            socket.create_connection((HOST, self._server.port), timeout=1).close()
        ending.join(timeout=5)

    def __enter__(self) -> LocalWorkspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _listen(port: int) -> _Server:
    # Bound here, since werkzeug would end the process when the port is taken.
    with socket.socket() as listener:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortInUse(port) from error
            raise
        listener.listen(_Server.request_queue_size)
        return _Server(HOST, port, _no_app_yet, handler=_QuietHandler, fd=listener.fileno())


def _no_app_yet(environ: Any, start_response: Any) -> Any:
    start_response("503 Service Unavailable", [])
    return [b""]


def _link(workspace: Workspace, app: Registration) -> HttpLink:
    """What calls the app, if its manifest says that it is called."""
    link = HttpLink(workspace.deliveries, _urls(app.manifest))
    if not app.manifest.socket_mode:
        workspace.deliveries.call_over_http(app.id, link)
    return link


def _urls(manifest: AppManifest) -> RequestUrls:
    commands = {each.name: each.url for each in manifest.commands}
    return RequestUrls(manifest.events_url, manifest.interactions_url, commands)


def _let_in(world: World, app: App) -> None:
    for channel in world.channels.values():
        if channel.name in OPEN_TO_THE_BOT:
            channel.members.append(app.bot_user)
    if app.manifest.messages_tab:
        world.direct_messages(YOU, app.bot_user)
