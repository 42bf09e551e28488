"""Counts that the rows, or the names beside them, refute: "five beat the average"."""

from __future__ import annotations

from agent.evidence.ground import Claim, Ground
from agent.evidence.tracing.clauses import is_partitive, list_length, opens
from agent.evidence.tracing.completeness import is_cut_number
from agent.evidence.tracing.counted import may_be_rows
from agent.evidence.tracing.counts import fits, is_chosen_part, may_count
from agent.evidence.tracing.parts import named_just_before, own_condition


def count_fault(claim: Claim, ground: Ground) -> str:
    """Return why a number of rows with a condition is wrong, in words; "" where it may be right."""
    is_small = may_count(claim) and claim.mention.written <= 3 and not claim.mention.hedge
    if not is_small:
        return ""
    listed = list_length(claim, ground) or _listed_before(claim, ground)
    is_count = claim.mention.is_word or is_partitive(claim, ground) or opens(claim, ground)
    if listed and is_count and not fits(claim, listed):
        is_of_rows = any(may_be_rows(claim, ground, table) for table in ground.tables)
        return f"“{claim.mention.text}” stands beside a list of {listed}." if is_of_rows else ""
    return _condition_fault(claim, ground)


def cut_fault(claim: Claim, ground: Ground) -> str:
    """Return that a number said to be all there are is only where a query stopped; "" if not."""
    if not may_count(claim):
        return ""
    for table in ground.tables:
        counts = [len(table.rows), *(count for _, count in table.varieties)]
        is_of_rows = any(fits(claim, n) for n in counts) and may_be_rows(claim, ground, table)
        if is_of_rows and is_cut_number(claim, ground, table):
            return f"“{claim.mention.text}” is where {table.name} was cut, not how many there are."
    return ""


def _condition_fault(claim: Claim, ground: Ground) -> str:
    if not (is_partitive(claim, ground) or opens(claim, ground)):
        return ""
    fault = ""
    for table in ground.tables:
        is_more = claim.mention.value > len(table.rows)
        if len(table.rows) < 2 or is_more or not may_be_rows(claim, ground, table):
            continue
        met = own_condition(claim, ground, table)
        if not met.is_sure or table.is_cut or any(fits(claim, n) for n in met.counts):
            return ""
        if is_chosen_part(claim, ground) and claim.mention.value <= max(met.counts):
            return ""
        counts = " or ".join(map(str, sorted(met.counts)))
        fault = f"“{claim.mention.text}”: {counts} of the {len(table.rows)} rows of {table.name}."
    return fault


def _listed_before(claim: Claim, ground: Ground) -> int:
    """Return how many names a part is said to be: "A, B and C: three of six"."""
    return named_just_before(claim, ground) if is_partitive(claim, ground) else 0
