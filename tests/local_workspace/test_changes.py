"""Members and channels become something else while the workspace runs."""

from __future__ import annotations

import pytest
from slack_sdk.errors import SlackApiError


def test_a_member_becomes_a_guest_of_one_channel_and_then_leaves(you, bot):
    member = you.api_call("workspace.addUser", json={"name": "max", "is_admin": True})["user"]["id"]
    you.api_call(
        "workspace.changeUser",
        json={"user": member, "is_admin": False, "is_ultra_restricted": True},
    )
    user = bot.users_info(user=member)["user"]
    assert (user["is_admin"], user["is_restricted"], user["is_ultra_restricted"]) == (0, 1, 1)
    assert not user["deleted"]
    you.api_call("workspace.changeUser", json={"user": member, "deleted": True})
    user = bot.users_info(user=member)["user"]
    assert (user["deleted"], user["is_ultra_restricted"]) == (True, True)


def test_a_channel_is_shared_with_named_organisations_and_taken_back(you, bot, general):
    def change(**given):
        you.api_call("workspace.changeChannel", json={"channel": general, **given})
        return bot.conversations_info(channel=general)["channel"]

    assert "connected_team_ids" not in change()
    shared = change(is_ext_shared=True, outsiders="T0OTHER,T0THIRD")
    assert shared["is_ext_shared"]
    assert shared["connected_team_ids"] == ["T0OTHER", "T0THIRD"]
    assert not change(is_ext_shared=False)["is_ext_shared"]


def test_a_member_who_is_put_out_is_in_the_channel_no_more(you, bot, general):
    (member, *_) = bot.conversations_members(channel=general)["members"]
    you.api_call("workspace.changeChannel", json={"channel": general, "put_out": member})
    assert member not in bot.conversations_members(channel=general)["members"]


def test_nobody_is_changed_who_is_not_there(you):
    with pytest.raises(SlackApiError, match="user_not_found"):
        you.api_call("workspace.changeUser", json={"user": "U0NOBODY", "deleted": True})
