"""Faults at random: at their rates, the same again with the same seed."""

from __future__ import annotations

import urllib.request
from collections import Counter

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

CALLS = {
    "rate_limit": 0.1,
    "server_error": 0.1,
    "server_error_taken": 0.1,
    "reset": 0.1,
    "reset_taken": 0.1,
}


@pytest.fixture
def mix(you):
    """Switches a mix on; without rates, off."""

    def switch(seed=1, **rates):
        you.api_call("workspace.faults", json={"mix": {"seed": seed, "rates": rates}})

    return switch


def fates(workspace, channel, calls=60):
    """What became of each of so many posts."""
    bot = WebClient(workspace.bot_token, base_url=workspace.api_url, retry_handlers=[])
    found = []
    for number in range(calls):
        try:
            bot.chat_postMessage(channel=channel, text=f"post {number}")
        except SlackApiError as error:
            found.append(str(error.response.status_code))
        except OSError:
            found.append("reset")
        else:
            found.append("ok")
    return found


def test_calls_fare_alike_with_one_seed_and_differently_with_another(workspace, mix, general):
    series = []
    for seed in (1, 1, 2):
        mix(seed, **CALLS)
        series.append(fates(workspace, general))
    assert series[0] == series[1] != series[2]
    assert set(series[0]) == {"ok", "429", "500", "503", "reset"}


def test_what_was_taken_stands_there_and_the_rest_does_not(workspace, you, mix, general):
    mix(1, **CALLS)
    found = fates(workspace, general)
    struck = Counter(you.api_call("workspace.faults")["faults"]["struck"])
    assert struck.total() == sum(each != "ok" for each in found)
    assert 15 <= struck.total() <= 45  # half of sixty
    taken = found.count("ok") + struck["server_error_taken"] + struck["reset_taken"]
    posts = you.conversations_history(channel=general, limit=200)["messages"]
    assert len(posts) == len({each["text"] for each in posts}) == taken


def test_people_s_calls_never_go_wrong_at_random(you, mix, general):
    mix(1, **dict.fromkeys(CALLS, 0.2))
    for number in range(20):
        you.chat_postMessage(channel=general, text=str(number))


def test_without_rates_a_mix_ends(bot, mix, general):
    mix(1, reset=1.0)
    mix()
    for number in range(5):
        bot.chat_postMessage(channel=general, text=str(number))


@pytest.mark.parametrize("rates", [{"earthquake": 0.1}, {"reset": 1.5}, {"reset": "often"}])
def test_a_mix_of_unknown_faults_or_odd_rates_is_refused(you, refused, rates):
    refused("invalid_arguments", you.api_call, "workspace.faults", json={"mix": {"rates": rates}})


def test_events_come_twice_and_again_and_none_is_lost(link, you, mix, general):
    mix(3, duplicate_event=0.3, redelivery=0.3)
    socket = link()
    for number in range(20):
        you.chat_postMessage(channel=general, text=str(number))
    seen = []
    while len(set(seen)) < 20 or len(seen) == 20:
        envelope = socket.receive()
        socket.ack(envelope)
        seen.append(envelope["payload"]["event"]["text"])
    assert {int(each) for each in seen} == set(range(20))


def test_files_are_late_or_refused(bot, you, mix, general):
    mix(1, late_file=0.5, refused_file=0.5)
    states = set()
    for _ in range(8):
        begun = bot.files_getUploadURLExternal(filename="chart.png", length=3)
        urllib.request.urlopen(begun["upload_url"], data=b"png", timeout=5).close()
        bot.files_completeUploadExternal(files=[{"id": begun["file_id"], "title": "Chart"}])
        states.add(bot.files_info(file=begun["file_id"])["file"]["mimetype"])
    assert states == {"", "image/png"}
    struck = you.api_call("workspace.faults")["faults"]["struck"]
    assert min(struck["late_file"], struck["refused_file"]) > 0
