"""The model that answers, the one that takes over, and the one that judges."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from agent.errors import SettingsInvalid
from agent.judge import is_judged, make_judge
from agent.models import is_language_model, make_model
from agent.models.claude.probe import Probe, Trouble, probe
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.settings import AgentSettings
from bot.doctor.attempt import attempt, said
from bot.doctor.finding import Finding, Level, note, ok, wrong
from bot.doctor.model_prices import price_findings
from bot.doctor.set_up import SetUp

TIMEOUT_S: Final = 9.0
LIMIT_S: Final = 15.0
"""Longer than the call's own limit, for the SDK takes a second or two to load."""
_CONSOLE: Final = "https://console.anthropic.com"


def model_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield whether the model answers, whoever takes over, and whoever judges its answers."""
    settings = set_up.agent
    answers = attempt("the model", LIMIT_S, lambda: _model(set_up, settings.model_name, ""))
    yield from answers
    yield from attempt("the second model", LIMIT_S, lambda: _second(set_up))
    works = all(finding.level is not Level.WRONG for finding in answers)
    yield from attempt("the judge", LIMIT_S, lambda: _judge(set_up, works))
    yield from attempt("the prices", LIMIT_S, lambda: price_findings(set_up))


def _model(set_up: SetUp, name: str, variable: str) -> Iterator[Finding]:
    """Look at one model; `variable` is what names it, where that is not DB_AGENT_MODEL."""
    settings = set_up.agent.model_copy(update={"model": name})
    try:
        model = make_model(settings)
    except SettingsInvalid as fault:
        if name.startswith("scripted:"):
            named_in = variable or "DB_AGENT_MODEL"
            another = f"name another file in {named_in}, or another model"
            yield wrong(str(fault).rstrip(".").replace("The", "the", 1), another)
        else:
            yield said(fault, "the model")
        return
    if name == "offline":
        yield ok("the offline model answers; it needs no key and no network")
        if settings.anthropic_api_key is not None:
            yield note(
                "ANTHROPIC_API_KEY is set, and not used",
                "take DB_AGENT_MODEL=offline out to let Claude answer",
            )
    elif name.startswith("scripted:"):
        yield note(
            f"the model {name} plays a script, whatever is asked",
            "it is for trying things out; set DB_AGENT_MODEL to another for real questions",
        )
    elif isinstance(model, OpenAICompatibleModel):
        yield _compatible(model, variable)
    else:
        yield from _claude(set_up, name, variable or "DB_AGENT_MODEL")


def _second(set_up: SetUp) -> Iterator[Finding]:
    """Look at the model that takes over; nothing is said where none is set."""
    settings, variable = set_up.agent, "DB_AGENT_FALLBACK_MODEL"
    name = settings.fallback_model
    if not name:
        return
    if not is_language_model(settings.model_name):
        yield note(
            f"{variable} is set, and not used: {settings.model_name} is never out of reach",
            "take it out, or let a model that can be out of reach answer",
        )
    elif name == settings.model_name:
        yield wrong(
            f"{variable} is {name}, which is the model that answers already",
            "name another one, or leave it empty",
        )
    elif name == "offline":
        yield ok(f"the offline model takes over where {settings.model_name} is out of reach")
    else:
        yield from _model(set_up, name, variable)


def _compatible(model: OpenAICompatibleModel, variable: str) -> Finding:
    started = time.time()
    failure = model.try_once(timeout_s=TIMEOUT_S)
    model.close()
    if failure is None:
        return ok(f"{model.name} answers, after {time.time() - started:.1f} s")
    what = failure.message.partition(";")[0]
    for word in ("The ", "This ", "There ", "Our ", "Something "):
        what = what.replace(word, word.lower(), 1) if what.startswith(word) else what
    if variable:
        what = f"{what} ({variable})"
    return (note if failure.is_load else wrong)(what, failure.advice)


def _claude(set_up: SetUp, name: str, variable: str) -> Iterator[Finding]:
    key, url = set_up.agent.anthropic_api_key, set_up.agent.anthropic_base_url
    assert key is not None
    found = probe(key.get_secret_value().strip(), name, base_url=url, timeout_s=TIMEOUT_S)
    set_up.clocks.note_http("Anthropic", found.headers, found.asked)
    if found.trouble is not None:
        yield _advice(found, found.trouble, name, variable, url)
        return
    yield ok(
        f"{name} answers, after {time.time() - found.asked:.1f} s; the key is good and has credit"
    )


def _advice(found: Probe, trouble: Trouble, name: str, variable: str, url: str) -> Finding:
    if trouble is Trouble.BUSY:
        return note(
            f"{name} is overloaded, or limits how often this key may ask",
            "run this again in a few minutes; if it stays so, raise the limits of the account at"
            f" {_CONSOLE}",
        )
    what, todo = {
        Trouble.KEY: (
            "ANTHROPIC_API_KEY is not accepted",
            f"copy it again, or make another at {_CONSOLE} under API keys",
        ),
        Trouble.PERMISSION: (
            f"the key may not use {name}",
            f"allow it at {_CONSOLE} for the key's workspace, or set {variable} to another model",
        ),
        Trouble.MODEL: (
            f"there is no model {name} for this key",
            f"set {variable} to one that there is, such as claude-sonnet-5",
        ),
        Trouble.MONEY: (
            "the Claude account has no credit left, or has met its spending limit",
            f"add credit or raise the limit at {_CONSOLE} under Billing",
        ),
        Trouble.TIMEOUT: (
            f"no answer from {url} within {TIMEOUT_S:g} s",
            "check the network and the proxy",
        ),
        Trouble.NETWORK: (
            f"{url} cannot be reached",
            "check the network, the proxy and ANTHROPIC_BASE_URL",
        ),
    }.get(
        trouble,
        (
            f"{url} does not answer as Claude does{f' ({found.detail})' if found.detail else ''}",
            "check ANTHROPIC_BASE_URL, which ends without /v1, and whether a proxy answers in its"
            " place",
        ),
    )
    return wrong(what, todo)


def _judge(set_up: SetUp, model_works: bool) -> Iterator[Finding]:
    settings = set_up.agent
    if not is_judged(settings.judge, settings.model_name):
        yield ok("no judge looks at answers, as the settings say" + _why_not(settings))
        return
    # Where the model cannot be made, that is said already, and not the judge's fault.
    with suppress(SettingsInvalid):
        model = make_model(settings)
        try:
            make_judge(settings, model)
        except SettingsInvalid as fault:
            yield said(fault, "the judge")
            return
    name = settings.judge_model or settings.model_name
    if name != settings.model_name:
        yield from _model(set_up, name, "DB_AGENT_JUDGE_MODEL")
    elif model_works:
        yield ok(f"{name} judges what it answers, in a call of its own")


def _why_not(settings: AgentSettings) -> str:
    if settings.judge == "off":
        return ""
    offline = settings.model_name == "offline"
    return ": the offline model computes its answers" if offline else ": a script needs none"
