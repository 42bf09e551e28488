"""Frozen values to what JSON has and back, equal to what they were.

PostgreSQL's jsonb forgets the order of keys, has neither NaN nor the character NUL, and turns 1e20
into a whole number. So what has keys of its own (the arguments of a call, a provider's blocks, a
chart) is written as JSON text, and a value that jsonb would change as an object that names its
kind: {"decimal": "5314.21"}. Fields that are as they are by default are left out.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from agent.messages import Directive, Observations, Turn, UserMessage

_IS: Final = "is"
_KINDS: Final[dict[str, type]] = {
    "user": UserMessage,
    "turn": Turn,
    "observations": Observations,
    "directive": Directive,
}
"""What stands in one list, and says of itself what it is."""
_READ: Final[dict[str, Callable[[str], Any]]] = {
    "decimal": Decimal,
    "float": float,
    "text": json.loads,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def to_plain(value: Any) -> Any:
    """Return what JSON has for `value`. Raises `TypeError` or `ValueError` for what has none."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return _plain_text(value)
        case float() | Decimal():
            return _plain_number(value)
        case tuple():
            return [to_plain(each) for each in value]
        case Mapping():
            return _json_text(dict(value))
        case date():
            return value.isoformat()
        case bytes():
            return base64.b64encode(value).decode()
    if not is_dataclass(value):
        raise TypeError(f"no plain form of {type(value).__name__}")
    return _plain_fields(value)


def _plain_text(text: str) -> Any:
    if isinstance(text, Enum):
        return text.value
    return text if _fits_jsonb(text) else {"text": json.dumps(text)}


def _plain_number(number: float | Decimal) -> Any:
    if isinstance(number, Decimal):
        return {"decimal": str(number)}
    written = repr(number)
    fits = math.isfinite(number) and "e" not in written and written != "-0.0"
    return number if fits else {"float": written}


def _plain_fields(value: Any) -> dict[str, Any]:
    kind = type(value)
    plain = {_IS: _NAMES[kind]} if kind in _NAMES else {}
    for each in fields(kind):
        held, default = getattr(value, each.name), _default(each)
        if type(held) is not type(default) or held != default:
            plain[each.name] = to_plain(held)
    return plain


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _fits_jsonb(text: str) -> bool:
    if "\x00" in text:
        return False
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


def _json_text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if _fits_jsonb(text) else json.dumps(value)


def from_plain(kind: Any, plain: Any) -> Any:
    """Return the value of that type which `to_plain` wrote.

    Raises `ValueError`, `TypeError` or `LookupError` where it wrote no such thing.
    """
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _one_of(get_args(kind), plain)
    if origin is tuple:
        return _tuple(get_args(kind), _checked(list, plain))
    if origin is not None and issubclass(origin, Mapping):
        return _checked(dict, json.loads(_checked(str, plain)))
    if is_dataclass(kind):
        return _dataclass(kind, _checked(dict, plain))
    if issubclass(kind, Enum):
        return kind(_checked(str, plain))
    if issubclass(kind, date):
        return kind.fromisoformat(_checked(str, plain))
    if kind is bytes:
        return base64.b64decode(_checked(str, plain), validate=True)
    return _checked(kind, _scalar(plain))


def _scalar(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    ((kind, written),) = plain.items()
    return _READ[kind](_checked(str, written))


def _one_of(kinds: tuple[Any, ...], plain: Any) -> Any:
    if plain is None:
        return _checked(NoneType if NoneType in kinds else str, None)
    values = [kind for kind in kinds if is_dataclass(kind)]
    if len(values) == 1:
        return from_plain(values[0], plain)
    if values:
        kind = _KINDS[_checked(dict, plain)[_IS]]
        return from_plain(kind, plain) if kind in values else _checked(str, plain)
    scalars = [kind for kind in kinds if kind is not NoneType]
    if len(scalars) == 1:
        return from_plain(scalars[0], plain)
    value = _scalar(plain)
    return value if type(value) in scalars else _checked(str, value)


def _tuple(kinds: tuple[Any, ...], plain: list[Any]) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(from_plain(kinds[0], each) for each in plain)
    return tuple(from_plain(kind, each) for kind, each in zip(kinds, plain, strict=True))


def _dataclass(kind: Any, plain: dict[str, Any]) -> Any:
    hints = types_of(kind)
    given = {name: each for name, each in plain.items() if name != _IS or kind not in _NAMES}
    return kind(**{name: from_plain(hints[name], each) for name, each in given.items()})


@cache
def types_of(kind: type) -> dict[str, Any]:
    """Return the types of a dataclass' fields by name."""
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}


def _checked(kind: type, value: Any) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise TypeError(f"{type(value).__name__} instead of {kind.__name__}")
    return value
