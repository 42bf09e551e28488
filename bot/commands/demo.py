"""`db-agent demo`: a database, a Slack workspace and the bot, all on this machine."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import ExitStack, suppress
from pathlib import Path

from agent.database.demo import DemoDatabase, demo_database
from agent.errors import SettingsInvalid
from agent.run import Agent, make_agent
from agent.settings import AgentSettings
from bot.about_itself import open_self_agent
from bot.app import SlackBot
from bot.ceilings import check_prices
from bot.commands.ask import say, settings_with
from bot.commands.demo_place import HELP_CHANNEL, write_place
from bot.commands.stopping import until_told_to_stop
from bot.local_workspace import LocalWorkspace, PortInUse
from bot.manifest import load_manifest
from bot.own_prompts import OwnPrompts
from bot.settings import read_settings
from bot.store import Store


def demo(
    *,
    port: int,
    browser: bool,
    model: str | None,
    cast: bool = False,
    place: Path | None = None,
) -> int:
    """Start everything, say where the page is, and wait for Ctrl-C; returns the exit code.

    `cast`: guests, an administrator and others are there too, for who wants to see them refused.
    `place`: no bot is started; this file gets what the bots of other processes need for it.

    Raises `SettingsInvalid` (also for a busy port) or `DatabaseUnavailable`.
    """
    settings = settings_with(model=model)
    with until_told_to_stop() as stop, ExitStack() as stack:
        database = stack.enter_context(
            demo_database(cache_dir=settings.cache_dir, bin_dir=settings.pg_bin, progress=say)
        )
        agent = stack.enter_context(make_agent(settings, database.url))
        workspace = stack.enter_context(_workspace(port, agent, cast=cast))
        if place is None:
            _start_bot(stack, workspace, agent, database, settings)
        else:
            write_place(place, workspace, database, model=settings.model_name)
        print(f"open {workspace.url}", flush=True)
        say(_what_answers(settings) if place is None else f"No bot is here. {place} is for yours.")
        say("Ctrl-C stops everything.")
        if browser and sys.stdout.isatty():
            _open_page(workspace.url)
        stop.wait()
        say("stopping…")
    return 0


def _workspace(port: int, agent: Agent, *, cast: bool) -> LocalWorkspace:
    model = agent.model_name
    about = f"db-agent answers here, with the model “{model}”, from a demo DVD rental database."
    manifest = load_manifest()
    manifest["features"]["agent_view"]["suggested_prompts"] = [
        {"title": prompt, "message": prompt} for prompt in OwnPrompts(agent.database).now()
    ]
    try:
        return LocalWorkspace.start(manifest, port=port, about=about, cast=cast)
    except PortInUse as error:
        raise SettingsInvalid(
            f"Port {port} is in use by another program. Choose another: db-agent demo --port "
            f"{port + 1 if port < 65_535 else 0} (make demo ARGS='--port N')."
        ) from error


def _start_bot(
    stack: ExitStack,
    workspace: LocalWorkspace,
    agent: Agent,
    database: DemoDatabase,
    settings: AgentSettings,
) -> None:
    store = Store(database.store_url)
    stack.callback(store.close)
    store.open()
    itself = stack.enter_context(open_self_agent(database.store_url, settings))
    bot_settings = read_settings(
        slack_client_id="",
        slack_bot_token=workspace.bot_token,
        slack_app_token=workspace.app_token,
        slack_url=workspace.api_url,
        escalation_channel=workspace.channels[HELP_CHANNEL],
    )
    check_prices(bot_settings, agent)
    bot = SlackBot(
        bot_settings,
        agent=agent,
        store=store,
        itself=itself,
        time_zone=settings.time_zone,
        catalogue=agent.database,
    )
    # The page goes with the process, so nobody would read what a longer wait brings.
    stack.callback(bot.stop, grace_s=1.0)
    bot.start()


def _open_page(url: str) -> None:
    """Open the page in a browser with a window; one for the terminal would take it from us."""
    with suppress(webbrowser.Error):
        found = webbrowser.get()
        if type(found) is not webbrowser.GenericBrowser:
            found.open(url)


def _what_answers(settings: AgentSettings) -> str:
    if settings.model_name == "offline":
        return (
            "The offline model answers: no key, no network, plain questions. "
            "Set ANTHROPIC_API_KEY to let Claude answer."
        )
    return f"The model {settings.model_name} answers."
