"""An upload has three steps, and each may be refused: it costs the file, and that is said."""

from __future__ import annotations

import pytest

BEGIN, SEND, FINISH = "files.getUploadURLExternal", "upload", "files.completeUploadExternal"
REFUSALS = {
    "no right": {"error": {"method": BEGIN, "error": "missing_scope", "times": 99}},
    "no room": {"error": {"method": BEGIN, "error": "file_upload_size_restricted", "times": 99}},
    "refused while it is sent": {"server_error": {"method": SEND, "status": 502, "times": 99}},
    "a connection that ends": {"break": {"method": SEND, "times": 99}},
    "refused at the end": {"error": {"method": FINISH, "error": "invalid_arguments", "times": 99}},
    "down at the end": {"server_error": {"method": FINISH, "status": 503, "times": 99}},
}
TOLD = {"no right": "I may not upload any", "no room": "has no room for it"}


@pytest.mark.parametrize("step", REFUSALS)
def test_a_file_that_is_refused_costs_the_file_and_is_told_of(bot, agent, chart, you, step):
    agent.charts = (chart,)
    you.faults(**REFUSALS[step])
    ts = you.ask("data", "a chart please")
    card = you.card("data", ts, within=30)
    kinds = [block["type"] for block in card["blocks"]]
    assert "image" not in kinds
    assert "table" in kinds
    assert "The chart Films by category could not be shown." in str(card["blocks"])
    assert "You asked: a chart please" in card["text"]
    you.click(card, "csv")
    told = you.cards("data", ts, 2, within=30)[-1]
    assert "Slack did not take the file" in told["text"]
    assert TOLD.get(step, "try again in a moment") in told["text"]
    assert told["is_ephemeral"]


def test_no_message_shows_a_picture_from_elsewhere(bot, agent, chart, you):
    agent.charts = (chart,)
    ts = you.ask("data", "a chart please")
    you.card("data", ts)
    images = [
        block
        for message in you.from_bot("data", ts)
        for block in message.get("blocks", ())
        if block["type"] == "image"
    ]
    assert images
    assert all("image_url" not in image and image["slack_file"]["id"] for image in images)
