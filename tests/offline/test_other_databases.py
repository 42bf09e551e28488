"""The same code on databases that it was not made for; skipped where their files are absent."""

from __future__ import annotations

import pytest

MOST_REFUSED = 0.08
"""True answers that the gate may send back before it lets them pass, of all."""

DATABASES = {
    "pagila": ("pagila/pagila-schema.sql", "pagila/pagila-data.sql"),
    "chinook": ("chinook/Chinook_PostgreSql.sql",),
    "northwind": ("northwind/northwind.sql",),
    "exercises": ("pgexercises/clubdata.sql",),
}

QUESTIONS = {
    "pagila": ("pagila", "pagila_more", "pagila_by_others"),
    "chinook": ("chinook", "chinook_more", "chinook_third", "chinook_by_others"),
    "northwind": ("northwind", "northwind_more", "northwind_by_others"),
    "exercises": ("exercises",),
}


@pytest.mark.parametrize("name", DATABASES)
def test_answers_on_other_databases_are_right_or_asked_back(
    name, loaded, agent_on, questions, judge, capsys
):
    agent = agent_on(loaded(*DATABASES[name]), strong=True)
    entries = [entry for file in QUESTIONS[name] for entry in questions(file)]
    rates = judge(agent, entries)
    with capsys.disabled():
        print(f"\noffline model, {name}: {rates}")
    assert not rates.wrong
    assert rates.share_right >= 0.9, rates.asked_back
    assert not rates.failed_steps
    assert not rates.unplanned
    assert len(rates.refused) <= MOST_REFUSED * rates.total, rates.refused
