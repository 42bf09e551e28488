"""An address that no call can be made to is refused where the model is made, not in a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.errors import SettingsInvalid
from agent.models.claude import ClaudeModel
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

MAKERS: dict[str, Callable[[str], object]] = {
    "ANTHROPIC_BASE_URL": lambda url: ClaudeModel("sk-ant-x", base_url=url),
    "VLLM_BASE_URL": lambda url: OpenAICompatibleModel(PRESETS["vllm"], "small", base_url=url),
}


@pytest.mark.parametrize("setting", MAKERS)
@pytest.mark.parametrize(
    "url",
    [
        *("http://[::1", "http://host:99999", "http://host:port", "http://two words/v1"),
        *("http://host/v1\nx", "http://host/\x7f", "http://a..b", "http://.", "http://"),
        *(f"http://{'a' * 64}.com", "//host", "https://me:secret@host/v1"),
        # A key in one would be logged, and what stands behind it would get lost.
        *("https://host/v1?key=secret", "https://host/v1#secret"),
    ],
)
def test_what_is_no_address_is_refused_and_not_quoted(setting: str, url: str) -> None:
    with pytest.raises(SettingsInvalid, match=setting) as caught:
        MAKERS[setting](url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("setting", MAKERS)
@pytest.mark.parametrize(
    "url",
    ["http://[::1]:8080/v1", "https://bücher.example/v1", "HTTP://127.0.0.1", "http://host:80/v1/"],
)
def test_what_is_one_is_taken(setting: str, url: str) -> None:
    MAKERS[setting](url)
