"""Mistakes and mishaps in the middle of a question are put right without a person."""

from __future__ import annotations

from collections import Counter

LEAST = 0.9
"""Faults that must end in the right rows."""


def test_nine_of_ten_seeded_faults_end_in_the_right_rows(faults, recover, capsys):
    recoveries = [recover(fault) for fault in faults]
    right = [one for one in recoveries if one.right]
    with capsys.disabled():
        print(f"\nrecovery: {len(right)} of {len(recoveries)} seeded faults")
        seeded = Counter(one.fault.kind for one in recoveries)
        mended = Counter(one.fault.kind for one in right)
        print("  " + ", ".join(f"{kind} {mended[kind]}/{n}" for kind, n in seeded.items()))
        print("\n".join(f"  not recovered: {one}" for one in recoveries if not one.right))
    assert len(recoveries) >= 40
    assert len(right) >= LEAST * len(recoveries)
    assert all(count >= 3 for count in seeded.values())


def test_each_mishap_stands_in_the_trail_and_costs_what_it_should(faults, recover):
    """One fault of each kind: what failed is kept as it was sent, and the run is not marked."""
    first = {fault.kind: fault for fault in reversed(faults)}
    for fault in first.values():
        recovery = recover(fault)
        state = recovery.result.trail[-1].state
        failed = recovery.failed_steps
        assert bool(failed) is fault.has_error, recovery
        assert state.error_count == len(failed), recovery
        assert (state.retry_count, state.backtrack_count, state.failed) == (0, 0, False), recovery
        assert state.hop_count == len(recovery.steps) <= 8, recovery
        assert all(step.error and step.subject for step in failed), recovery
        sent = [step.subject for step in recovery.steps if step.tool == "execute_read_only_sql"]
        assert len(sent) == len(set(sent)), recovery


def test_a_query_that_was_spoiled_is_told_with_its_error_and_then_with_its_rows(faults, recover):
    fault = next(each for each in faults if each.kind == "wrong column" and each.spoils)
    failed, mended = recover(fault).steps[-2:]
    assert "payment.total" in failed.subject
    assert "payment.total does not exist" in failed.error
    assert mended.ok
    assert "payment.amount" in mended.subject
    assert mended.rows == 16
