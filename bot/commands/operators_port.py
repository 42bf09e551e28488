"""A port of its own for what operators look at: measures and health."""

from __future__ import annotations

from contextlib import ExitStack

from bot.commands.ask import say
from bot.http.port import Port
from bot.http.service import HttpService
from bot.settings import BotSettings


def open_for_operators(stack: ExitStack, settings: BotSettings) -> HttpService | None:
    """Open the port of DB_AGENT_METRICS_PORT until `stack` ends; None where none is set.

    Raises `SettingsInvalid` for a port that cannot be had.
    """
    if settings.metrics_port is None:
        return None
    where = Port(settings.metrics_host, settings.metrics_port)
    service = HttpService(settings, where, for_operators_alone=True)
    stack.callback(service.stop)
    service.start()
    say(f"For operators at {service.url}: {', '.join(service.site.paths)}")
    return service
