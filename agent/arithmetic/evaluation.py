"""Works an expression out, in decimals of fifty digits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import (
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    localcontext,
)  # fmt: skip
from typing import Final, Protocol

from agent.arithmetic.tree import Call, Negative, Node, Number, Operation, Reference
from agent.errors import CalculationRejected

DIGITS: Final = 50
MOST: Final = Decimal(10) ** 40
"""Beyond it no figure of a business is meant."""


class Values(Protocol):
    """Where the numbers in cells come from."""

    def value(self, reference: Reference) -> Decimal: ...

    def values(self, reference: Reference) -> list[Decimal]: ...

    def count(self, reference: Reference) -> Decimal | int: ...


def evaluate(node: Node, values: Values, *, rounds: bool = True) -> Decimal:
    """Return the value of `node`; `rounds` is whether round() rounds.

    Raises `CalculationRejected`.
    """
    traps = [DivisionByZero, InvalidOperation, Overflow]
    with localcontext(Context(prec=DIGITS, Emax=100, Emin=-100, traps=traps)):
        try:
            value = _Evaluation(values, rounds).of(node)
        except (DivisionByZero, InvalidOperation) as error:
            raise CalculationRejected(
                "It divides by zero.", "Say that there is nothing to compare with."
            ) from error
        except Overflow as error:
            raise CalculationRejected("The value is too large.") from error
    if abs(value) > MOST:
        raise CalculationRejected("The value is too large.")
    return value


class _Evaluation:
    def __init__(self, values: Values, rounds: bool) -> None:
        self._values = values
        self._rounds = rounds

    def of(self, node: Node) -> Decimal:
        match node:
            case Number(value):
                return value
            case Reference():
                return self._values.value(node)
            case Negative(operand):
                return -self.of(operand)
            case Operation(sign, left, right):
                return _operate(sign, self.of(left), self.of(right))
            case Call():
                return self._call(node)

    def _call(self, call: Call) -> Decimal:
        if call.function == "abs":
            return abs(self.of(call.arguments[0]))
        if call.function == "round":
            value = self.of(call.arguments[0])
            step = Decimal(1).scaleb(-call.digits)
            return value.quantize(step, rounding=ROUND_HALF_UP) if self._rounds else value
        if call.function == "count":
            return sum((self._count(each) for each in call.arguments), Decimal(0))
        numbers = [number for each in call.arguments for number in self._list(each)]
        if not numbers:
            raise CalculationRejected(f"There is no value for {call.function}() to take.")
        return _aggregate(call.function, numbers)

    def _count(self, node: Node) -> Decimal:
        if not isinstance(node, Reference):
            raise CalculationRejected(
                "count() counts the rows of a result or the values of a column.",
                "Write count(r1) or count(r1.name).",
            )
        return Decimal(self._values.count(node))

    def _list(self, node: Node) -> Sequence[Decimal]:
        if isinstance(node, Reference) and not node.is_cell:
            return self._values.values(node)
        return [self.of(node)]


def _operate(sign: str, left: Decimal, right: Decimal) -> Decimal:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case _:
            return left % right


def _aggregate(function: str, numbers: list[Decimal]) -> Decimal:
    match function:
        case "sum":
            return sum(numbers, Decimal(0))
        case "avg":
            return sum(numbers, Decimal(0)) / len(numbers)
        case "min":
            return min(numbers)
        case "max":
            return max(numbers)
        case _:
            ordered, middle = sorted(numbers), len(numbers) // 2
            return (ordered[middle] + ordered[-middle - 1]) / 2
