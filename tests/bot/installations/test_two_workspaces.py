"""Two workspaces have the app: each is answered in its own, and knows nothing of the other."""

from __future__ import annotations


def test_each_workspace_is_answered_by_its_own_bot(in_both, agent):
    _, ann, pat = in_both()
    for who in (ann, pat):
        card = who.card("general", who.ask("general", f"how many films, {who.id}?"))
        assert card["user"] == who.workspace.bot_user_id
        assert "You asked: how many films" in card["text"]
    assert ann.workspace.bot_user_id != pat.workspace.bot_user_id
    assert len(agent.asked) == 2
