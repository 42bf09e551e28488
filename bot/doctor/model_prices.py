"""What the models cost: whether that is known, and since when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agent.errors import SettingsInvalid
from agent.judge import is_judged
from agent.models import is_language_model
from agent.prices import OLD_AFTER_DAYS, SETTING, Prices, dollars, read_prices
from bot.ceilings import ceilings_set
from bot.doctor.finding import Finding, note, ok, wrong
from bot.doctor.set_up import SetUp


def price_findings(set_up: SetUp, today: date | None = None) -> Iterator[Finding]:
    """Yield what is to be said of the prices of the models that are set; free ones need none."""
    try:
        prices = read_prices(set_up.agent.prices)
    except SettingsInvalid as fault:
        what, _, shape = str(fault).rstrip(".").partition(". It must ")
        yield wrong(what, f"it must {shape}" if shape else "name a file that can be read")
        return
    for name in _models(set_up):
        yield from _of_model(name, prices, set_up, today or date.today())


def _models(set_up: SetUp) -> list[str]:
    settings = set_up.agent
    judged = is_judged(settings.judge, settings.model_name)
    judges = [settings.judge_model] if judged and settings.judge_model else []
    takes_over = is_language_model(settings.model_name) and settings.fallback_model
    second = [settings.fallback_model] if takes_over else []
    return list(dict.fromkeys([settings.model_name, *second, *judges]))


def _of_model(name: str, prices: Prices, set_up: SetUp, today: date) -> Iterator[Finding]:
    price = prices.price(name)
    if price is None:
        ceiling = next(iter(ceilings_set(set_up.bot, set_up.agent.max_usd_per_question)), "")
        what = f"what {name} costs is not known"
        todo = f"name its price in a file, and the file in {SETTING}: docs/bill.md says how"
        if ceiling:
            yield wrong(f"{what}, so {ceiling} cannot be kept", todo)
        else:
            yield note(f"{what}, so no card says what its question cost", todo)
    elif price.as_of is not None:
        per_million = f"{dollars(price.input)} in and {dollars(price.output)} out"
        known = f"{name} costs {per_million} for a million tokens, as of {price.as_of.isoformat()}"
        days = (today - price.as_of).days
        if days > OLD_AFTER_DAYS:
            yield note(
                f"{known}, which is {days} days ago",
                f"compare it with its provider's page; name what differs in {SETTING}",
            )
        else:
            yield ok(known)
