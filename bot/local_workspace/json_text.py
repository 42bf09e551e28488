"""JSON from outside, read so strictly that it can be written again."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """Return the value that `text` stands for.

    Raises ValueError for what is no JSON, and for what Python takes for JSON but no browser does:
    NaN, numbers past a double's range, half a surrogate pair, nesting without end. One such value
    in the state would break every answer that shows it.
    """
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value
