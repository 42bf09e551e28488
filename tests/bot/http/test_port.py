"""The port is taken where it can be, and what keeps it from being taken is said with its cure."""

from __future__ import annotations

import pytest

from agent.errors import SettingsInvalid
from bot.http.port import Port, PortTaken, listen


def test_free_port_is_taken_and_given_back(over_port, open_port):
    service = open_port(over_port)
    number = int(service.url.rpartition(":")[2])
    with pytest.raises(PortTaken, match=f"Port {number} is in use"):
        listen(Port("127.0.0.1", number))
    service.stop()
    listen(Port("127.0.0.1", number)).close()


@pytest.mark.parametrize("host", ["no-such-host.invalid", "203.0.113.7", "x" * 300])
def test_address_of_another_machine_is_told_with_those_that_go(host):
    with pytest.raises(SettingsInvalid, match="no address of this machine") as told:
        listen(Port(host, 0))
    assert "127.0.0.1 is reached from here alone, 0.0.0.0 from everywhere" in str(told.value)


@pytest.mark.parametrize(
    ("host", "url"), [("::1", "http://[::1]:80"), ("0.0.0.0", "http://0.0.0.0:80")]
)
def test_address_is_written_as_a_browser_takes_it(host, url):
    assert Port(host, 80).url == url
