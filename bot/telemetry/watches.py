"""Several watches over one run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal

from agent.messages import Usage
from agent.watching import Act, Watch


class Watches(Watch):
    """Several watches, told one after the other."""

    def __init__(self, *watches: Watch) -> None:
        self._watches = watches

    @contextmanager
    def during(self, act: Act) -> Iterator[None]:
        """Tell each of them."""
        with ExitStack() as stack:
            for watch in self._watches:
                stack.enter_context(watch.during(act))
            yield

    def spent(self, model: str, usage: Usage, cost_usd: Decimal | None) -> None:
        """Tell each of them."""
        for watch in self._watches:
            watch.spent(model, usage, cost_usd)

    def tried_again(self, what: str) -> None:
        """Tell each of them."""
        for watch in self._watches:
            watch.tried_again(what)
