"""The JSON Schema of a tool's arguments as models read it; pure.

It is sent with every turn. Bounds of lengths and numbers are left out, since the arguments are
checked against them all the same, and providers that hold a model to a schema take none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_LEFT_OUT: Final = frozenset(
    {
        *("title", "default", "pattern"),
        *("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"),
    }
)
_NAMED: Final = frozenset({"properties", "$defs"})
"""What holds schemas by names that are ours: nothing there is left out for its name."""
_NULL: Final = {"type": "null"}


def what_models_read(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return pydantic's schema of an argument model without what a model does not need.

    The description of the whole goes too: it is the tool's own.
    """
    return _without_description(_lean(schema))


def _without_description(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "description"}


def _lean(schema: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in _without_null(schema).items():
        if key in _NAMED:
            kept[key] = {name: _lean(each) for name, each in value.items()}
            if key == "$defs":  # what a class says of itself is for who reads the code
                kept[key] = {name: _without_description(each) for name, each in kept[key].items()}
        elif key not in _LEFT_OUT:
            kept[key] = _lean_value(value)
    return kept


def _without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of what may be left out as that of what it is where it is there."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice != _NULL]
    if schema.get("default", "") is not None or len(choices) != 1:
        return schema
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return {**rest, **choices[0]}


def _lean_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _lean(value)
    if isinstance(value, list):
        return [_lean_value(each) for each in value]
    return value
