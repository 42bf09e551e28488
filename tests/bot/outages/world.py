"""A process of the bot, and everything that it depends on; each can be taken away."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil
from slack_sdk import WebClient

from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest
from tests.bot.conftest import Person, eventually
from tests.bot.kills.model_server import KEY, Case, ModelServer
from tests.bot.kills.scene import SLACK
from tests.bot.kills.stories import case_of
from tests.bot.kills.supervisor import Supervisor

from .bridge import Bridge, to_port
from .servers import MortalPostgres

ROWS = """
create table payment (staff_id int not null, amount numeric(10, 2) not null);
comment on table payment is 'Money received, which is the revenue.';
insert into payment values (1, 10920.77), (4, 15000.00), (4, 724.73);
create role agent_ro login password {password};
grant select on payment to agent_ro;
revoke all on database postgres from public;
grant connect on database postgres to agent_ro;
"""
WARM = 8
LEAST_IDLE = 0.7
"""What a process that waits leaves of a processor, at the very least."""


class Away(Protocol):
    """Something that can go away and come back."""

    def stop(self) -> None: ...
    def start(self) -> None: ...


class Cut:
    """A connection that can be cut, as something that goes away."""

    def __init__(self, bridge: Bridge) -> None:
        self.stop, self.start = bridge.cut, bridge.mend


@dataclass(frozen=True)
class Held:
    """What a process holds."""

    threads: int
    files: int


class World:
    """Everything around one process of the bot."""

    def __init__(
        self,
        parts: dict[str, Away],
        models: ModelServer,
        workspace: LocalWorkspace,
        supervisor: Supervisor,
        health_url: str,
    ) -> None:
        self.parts, self.models, self.workspace = parts, models, workspace
        self._supervisor, self._health_url = supervisor, health_url
        self.you = Person(workspace, "you")
        straight = f"http://127.0.0.1:{workspace._server.port}/api/"
        self.you.client = WebClient(workspace.user_tokens["you"], base_url=straight)
        self._asked = 0

    def ask(self, story: str = "plain", slow_s: float = 0.0) -> tuple[Case, str]:
        """Ask a question; how the model hears of it, and the ts."""
        self._asked += 1
        case = self.models.open(case_of(self._asked), story, slow_s)
        return case, self.you.ask("data", case.story.asked(case.name))

    def warm_up(self) -> None:
        """Have all threads begun that are kept, and all connections opened."""
        for case, ts in [self.ask(slow_s=0.2) for _ in range(WARM)]:
            assert self.is_answered(case, ts)

    def card(self, case: Case, ts: str, within: float = 25.0) -> str:
        """Wait for the one card of a question, and return what it says."""
        return str(self.you.card("data", ts, within)["text"])

    def is_answered(self, case: Case, ts: str) -> bool:
        """Wait for the card; is it the right answer?"""
        return case.story.ends.format(case=case.name) in self.card(case, ts)

    def was_acknowledged(self, ts: str) -> bool:
        """Did the bot say that it has taken that message?"""
        return all(
            each["acked"]
            for each in self.you.deliveries()
            if each["payload"].get("event", {}).get("ts") == ts
            and each["payload"]["event"]["type"] == "app_mention"
        )

    @contextlib.contextmanager
    def without(self, *names: str) -> Iterator[None]:
        """Take parts away for as long as the block lasts."""
        for name in names:
            self.parts[name].stop()
        try:
            yield
        finally:
            for name in names:
                self.parts[name].start()

    def page(self, path: str = "/healthz") -> tuple[int, str]:
        """What a page of the bot's says: its status and its words."""
        try:
            with urllib.request.urlopen(f"{self._health_url}{path}", timeout=5) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    def until_ready(self, is_ready: bool, within: float = 15.0) -> None:
        """Wait until the bot says that it may or may not be asked; it says all along that it lives.

        Whoever ends a bot that lives and is not ready ends the runs that would go on.
        """
        eventually(lambda: (self.page("/readyz")[0] == 200) is is_ready, within)
        assert self.page("/healthz")[0] == 200

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self._supervisor.pids[0])

    def held(self) -> Held:
        """Return what the bot's process holds now."""
        return Held(self.process.num_threads(), self.process.num_fds())

    def spins(self, for_s: float = 1.5) -> bool:
        """Watch the process for a while: does it work though there is nothing to be done?"""
        began, before = time.monotonic(), sum(self.process.cpu_times()[:2])
        time.sleep(for_s)
        used = sum(self.process.cpu_times()[:2]) - before
        return used > (1 - LEAST_IDLE) * (time.monotonic() - began)

    def until_it_holds(self, before: Held, more: int = 2, within: float = 15.0) -> None:
        """Wait until the process holds no more than before, but for a little."""

        def is_back() -> bool:
            now = self.held()
            return now.threads <= before.threads + more and now.files <= before.files + more

        eventually(is_back, within)


@contextlib.contextmanager
def world(*, over_tcp: bool = True) -> Iterator[World]:
    """Start everything, and stop it again."""
    bin_dir = Path(os.environ["PG_BIN"]) if "PG_BIN" in os.environ else None
    with contextlib.ExitStack() as stack:
        store, data = (_postgres(stack, bin_dir) for _ in range(2))
        data.run(ROWS.format(password=f"'{data._server.password('agent_ro')}'"))
        models = ModelServer()
        stack.callback(models.stop)
        to_model = _bridge(stack, int(models.url.rsplit(":", 1)[1]))
        workspace_port = _free_port()
        to_slack = _bridge(stack, workspace_port)
        workspace = LocalWorkspace.start(
            load_manifest(), port=workspace_port, behind=to_slack.port, **SLACK
        )
        stack.callback(workspace.stop)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="outages-")))
        environment = {
            each: os.environ[each]
            for each in ("PATH", "HOME", "TMPDIR", "PYTHONPATH")
            if each in os.environ
        }
        environment |= {
            "SLACK_BOT_TOKEN": workspace.bot_token,
            "SLACK_APP_TOKEN": workspace.app_token,
            "DB_AGENT_SLACK_URL": workspace.api_url,
            "DB_AGENT_STORE_URL": store.url(over_tcp=over_tcp),
            "DB_AGENT_MODEL": "claude-sonnet-5",
            "DATABASE_URL": data.url(user="agent_ro"),
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{to_model.port}",
        }
        port = _free_port()
        supervisor = Supervisor(folder, [["serve", "--http", str(port)]], environment)
        stack.callback(supervisor.stop)
        supervisor.start()
        url = f"http://127.0.0.1:{port}"
        parts = {"store": store, "database": data, "model": Cut(to_model), "slack": Cut(to_slack)}
        made = World(parts, models, workspace, supervisor, url)
        eventually(lambda: made.page("/readyz")[0] == 200, 30.0)
        made.warm_up()
        yield made


def _postgres(stack: contextlib.ExitStack, bin_dir: Path | None) -> MortalPostgres:
    made = MortalPostgres(bin_dir)
    stack.callback(made.remove)
    return made


def _bridge(stack: contextlib.ExitStack, port: int) -> Bridge:
    made = Bridge(to_port(port))
    stack.callback(made.cut)
    return made


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
