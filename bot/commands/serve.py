"""`db-agent serve`: the bot in a real Slack workspace."""

from __future__ import annotations

import argparse
import logging
from contextlib import ExitStack

from agent.errors import DatabaseUnavailable, SettingsInvalid
from agent.run import Agent, make_agent
from agent.settings import AgentSettings
from bot.about_itself import NoSelfAgent, open_self_agent
from bot.app import SlackBot
from bot.ceilings import check_prices
from bot.channels import check_channels
from bot.commands.ask import say, settings_with
from bot.commands.operators_port import open_for_operators
from bot.commands.record import store_url
from bot.commands.roles import Role
from bot.commands.stopping import until_told_to_stop
from bot.http.port import Port
from bot.http.service import HttpService
from bot.install_settings import INSTALL_PATH
from bot.serve_options import chosen_port
from bot.settings import BotSettings, read_settings
from bot.store import Store
from bot.telemetry.traces import Traces, open_traces
from bot.tokens import check_tokens

DOCTOR = ".venv/bin/db-agent doctor"


def serve_as(options: argparse.Namespace) -> int:
    """Do what `db-agent serve` or `db-agent worker` were told; returns the exit code."""
    if options.command == "worker":
        return serve(model=options.model, role=Role.WORKER)
    role = Role.INTAKE if options.no_workers else Role.BOTH
    return serve(model=options.model, port=chosen_port(options), role=role)


def serve(*, model: str | None, port: Port | None = None, role: Role = Role.BOTH) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit code. Without `port` none is opened.

    `role` says whether questions are taken, answered, or both.

    Raises `SettingsInvalid` for what is missing or wrong in the settings, `DatabaseUnavailable`
    or `StoreUnavailable` for what cannot be reached at start.
    """
    settings, bot_settings = _read(model, role, has_port=port is not None)
    role.require_record(bot_settings)
    url = _database_url(settings)
    for told in ("bot.metrics", "bot.housekeeping"):
        logging.getLogger(told).setLevel(logging.INFO)
    with until_told_to_stop() as stop, ExitStack() as stack:
        service = _open(stack, bot_settings, port) if port is not None else None
        beside = open_for_operators(stack, bot_settings)
        check_tokens(bot_settings)
        check_channels(bot_settings)
        agent = stack.enter_context(make_agent(settings, url))
        check_prices(bot_settings, agent)
        _try_database(agent)
        traces = open_traces("serve" if role.takes_events else "worker")
        stack.callback(traces.close)
        bot = _make_bot(stack, settings, bot_settings, agent, traces, role)
        stack.callback(bot.stop)
        bot.start()
        for each in filter(None, (service, beside)):
            each.serve(bot)
        if bot_settings.serves_several and role.takes_events:
            say(_where_to_install(bot_settings, has_port=service is not None))
        say(f"db-agent {role.in_words} {bot.served}, with the model {agent.model_name}.")
        say("Ctrl-C stops it; running questions get a moment to finish.")
        stop.wait()
        say("stopping: no new questions; waiting for those that run…")
        if not bot.stop():
            say("what is not finished is left to another process, or to the next start.")
    return 0


def _read(model: str | None, role: Role, *, has_port: bool) -> tuple[AgentSettings, BotSettings]:
    """Return what is set. Raises `SettingsInvalid` with all that is missing or wrong at once."""
    problems: list[str] = []
    settings = bot_settings = None
    try:
        settings = settings_with(model=model)
        _database_url(settings)
    except SettingsInvalid as mistake:
        if mistake.__cause__ is not None:  # .env itself cannot be read
            raise
        problems += str(mistake).splitlines()
    try:
        bot_settings = read_settings(http=has_port, events=role.takes_events)
    except SettingsInvalid as mistake:
        problems = [*str(mistake).splitlines(), *problems]
    if settings is None or bot_settings is None or problems:
        raise SettingsInvalid(_all_at_once(problems))
    return settings, bot_settings


def _all_at_once(problems: list[str]) -> str:
    if len(problems) == 1:
        return f"{problems[0]}\n{DOCTOR} checks all settings."
    lines = "".join(f"\n  {each}" for each in problems)
    return f"{len(problems)} settings are missing or wrong:{lines}\n{DOCTOR} checks them."


def _open(stack: ExitStack, settings: BotSettings, port: Port) -> HttpService:
    """Open the port first: what starts slowly is seen to start, and a port in use is told at once.

    It is closed last: until all is over it says that the bot is stopping.
    """
    service = HttpService(settings, port)
    stack.callback(service.stop)
    service.start()
    say(f"HTTP at {service.url}: {', '.join(service.site.paths)}")
    if not settings.events_over_http:
        say("SLACK_SIGNING_SECRET is not set: Slack's events come over Socket Mode, not over HTTP.")
    return service


def _make_bot(
    stack: ExitStack,
    settings: AgentSettings,
    bot_settings: BotSettings,
    agent: Agent,
    traces: Traces,
    role: Role,
) -> SlackBot:
    address = stack.enter_context(store_url(bot_settings, settings.pg_bin, say=say))
    store = Store(address)
    stack.callback(store.close)
    store.open(migrates=bot_settings.migrates)
    itself = _itself(stack, settings, bot_settings, address)
    if isinstance(itself, NoSelfAgent):
        say(f"The bot cannot be asked about itself. {itself.reason}")
    return SlackBot(
        bot_settings,
        agent=agent,
        store=store,
        itself=itself,
        time_zone=settings.time_zone,
        catalogue=agent.database,
        traces=traces,
        takes_events=role.takes_events,
        answers=role.answers,
    )


def _itself(
    stack: ExitStack, settings: AgentSettings, bot_settings: BotSettings, address: str
) -> Agent | NoSelfAgent:
    if bot_settings.serves_several:
        return NoSelfAgent("The log that it would answer from is of several workspaces.")
    reader = bot_settings.store_reader_url
    return stack.enter_context(
        open_self_agent(address, settings, reader_url=reader.get_secret_value() if reader else None)
    )


def _where_to_install(settings: BotSettings, *, has_port: bool) -> str:
    if has_port:
        return f"Workspaces add the app at {settings.public_url}{INSTALL_PATH}"
    return "No workspace can add the app here: that needs a port, --http PORT."


def _try_database(agent: Agent) -> None:
    """Refuse a login that may write; a database that is down now may be up for the question."""
    try:
        agent.database.ping()
    except DatabaseUnavailable as fault:
        say(f"{fault} The bot starts all the same, and tells so whoever asks.")


def _database_url(settings: AgentSettings) -> str:
    if settings.database_url is None:
        raise SettingsInvalid(
            "DATABASE_URL is not set: it names the database to answer from, such as "
            "postgresql://agent_ro:PASSWORD@HOST:5432/DATABASE, as a role that can only SELECT."
        )
    return settings.database_url.get_secret_value()
