"""Files: the three steps, their bytes, and when a block may show them."""

import urllib.error
import urllib.request

import pytest

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


def upload(client, name="chart.png", content=PNG, **more):
    """The first two steps; the file id."""
    begun = client.files_getUploadURLExternal(filename=name, length=len(content), **more)
    with urllib.request.urlopen(begun["upload_url"], data=content, timeout=5) as answer:
        assert answer.read() == b"OK - %d" % len(content)
    return begun["file_id"]


def finish(client, file_id, **more):
    return client.files_completeUploadExternal(files=[{"id": file_id, "title": "Chart"}], **more)


def image(file_id):
    return {"type": "image", "slack_file": {"id": file_id}, "alt_text": "A chart"}


@pytest.fixture
def chart(bot):
    file_id = upload(bot, alt_txt="A chart")
    finish(bot, file_id)
    return file_id


def fetch(url, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=5) as answer:
        return answer.read(), answer.headers


def test_the_sdk_helper_uploads_and_shares(bot, you, general):
    root = you.chat_postMessage(channel=general, text="q")["ts"]
    bot.files_upload_v2(
        channel=general, thread_ts=root, filename="rows.csv", content="a,b\n1,2\n", title="Rows"
    )
    shared = you.conversations_replies(channel=general, ts=root)["messages"][1]
    assert shared["files"][0]["title"] == "Rows"
    assert shared["files"][0]["filetype"] == "csv"


def test_a_file_shown_in_a_block_can_be_read_where_it_is_shown(bot, you, mia, chart, workspace):
    channel = workspace.channels["general"]
    private = you.files_info
    with pytest.raises(Exception, match="file_not_found"):
        private(file=chart)
    bot.chat_postMessage(channel=channel, text="x", blocks=[image(chart)])
    info = you.files_info(file=chart)["file"]
    assert (info["mimetype"], info["alt_txt"]) == ("image/png", "A chart")
    content, headers = fetch(info["url_private"], workspace.user_tokens["mia"])
    assert content == PNG
    assert headers["Content-Type"] == "image/png"


def test_bytes_need_a_token(bot, chart):
    url = bot.files_info(file=chart)["file"]["url_private"]
    with pytest.raises(urllib.error.HTTPError, match="403"):
        fetch(url)


def test_what_is_no_image_is_sent_as_a_download(bot, workspace):
    file_id = upload(bot, "page.html", b"<script>alert(1)</script>")
    finish(bot, file_id)
    url = bot.files_info(file=file_id)["file"]["url_private"]
    _, headers = fetch(url, workspace.bot_token)
    assert headers["Content-Disposition"] == "attachment"
    assert headers["Content-Security-Policy"] == "sandbox"


def test_a_file_can_be_shown_only_after_n_polls(bot, you, general, refused):
    you.api_call("workspace.faults", json={"file_ready_polls": 3})
    file_id = upload(bot)
    finish(bot, file_id)
    post = {"channel": general, "text": "x", "blocks": [image(file_id)]}
    assert bot.files_info(file=file_id)["file"]["mimetype"] == ""
    for _ in range(2):
        body = refused("invalid_blocks", bot.chat_postMessage, **post)
        said = "[ERROR] invalid slack file [json-pointer:/blocks/0/slack_file]"
        assert body["response_metadata"]["messages"] == [said]
    assert bot.files_info(file=file_id)["file"]["mimetype"] == "image/png"
    bot.chat_postMessage(**post)


def test_a_file_can_be_shown_only_after_a_while(bot, you, general, refused, eventually):
    you.api_call("workspace.faults", json={"file_ready_after_s": 0.3})
    file_id = upload(bot)
    finish(bot, file_id)
    refused(
        "invalid_blocks", bot.chat_postMessage, channel=general, text="x", blocks=[image(file_id)]
    )
    eventually(lambda: bot.files_info(file=file_id)["file"]["mimetype"])
    bot.chat_postMessage(channel=general, text="x", blocks=[image(file_id)])


def test_only_complete_images_of_the_app_can_be_shown(bot, you, general, refused):
    text, foreign, half = upload(bot, "a.csv", b"a"), upload(you), upload(bot)
    finish(bot, text)
    finish(you, foreign)
    for file_id in (text, foreign, half, "F0NOTHING"):
        refused(
            "invalid_blocks",
            bot.chat_postMessage,
            channel=general,
            text="x",
            blocks=[image(file_id)],
        )


def test_an_upload_is_completed_once(bot, chart, refused):
    refused("file_not_found", finish, bot, chart)
    refused("file_not_found", finish, bot, "F0NOTHING")


def test_an_upload_has_the_length_that_was_announced(bot):
    begun = bot.files_getUploadURLExternal(filename="a.png", length=3)
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(begun["upload_url"], data=b"four", timeout=5)


def test_limits_of_an_upload(bot, refused):
    start = bot.files_getUploadURLExternal
    refused("missing_argument", start, filename="a", length=0)
    refused("alt_txt_too_large", start, filename="a", length=1, alt_txt="x" * 1001)
    refused("file_upload_size_restricted", start, filename="a", length=1_000_000_001)


def test_sharing_needs_membership(bot, you, workspace, refused):
    channel = you.api_call("workspace.addChannel", json={"name": "quiet"})["channel"]["id"]
    refused("not_in_channel", finish, bot, upload(bot), channel_id=channel)
    refused("channel_not_found", finish, bot, upload(bot), channel_id="C0NOWHERE")


def test_a_markdown_block_breaks_the_completion(bot, general, refused):
    blocks = '[{"type": "markdown", "text": "x"}]'
    refused("internal_error", finish, bot, upload(bot), channel_id=general, blocks=blocks)
