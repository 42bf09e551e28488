"""One shared inflector: it is slow to make."""

from __future__ import annotations

from functools import lru_cache

import inflect


@lru_cache(maxsize=1)
def engine() -> inflect.engine:
    """Return the inflector, made at its first use."""
    return inflect.engine()
