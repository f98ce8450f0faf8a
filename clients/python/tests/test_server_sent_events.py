"""The parser of server-sent events reads the same streams as that of the TypeScript client."""

from __future__ import annotations

import pytest
from workspace_platform.server_sent_events import EventParser, ServerSentEvent


def read(text: str, size: int = 1000) -> list[ServerSentEvent]:
    parser, content = EventParser(), text.encode()
    chunks = [content[start : start + size] for start in range(0, len(content), size)]
    return [event for chunk in chunks for event in parser.feed(chunk)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_reads_chunks_of_any_size_and_lines_of_any_end(size: int, end: str) -> None:
    lines = ["id: 1", "event: note", 'data: ["é",', "data:2]", "", ": keep-alive", "", "data: 3", "", ""]
    assert read(end.join(lines), size) == [ServerSentEvent("1", "note", ["é", 2]), ServerSentEvent(None, "message", 3)]


def test_skips_a_byte_order_mark_and_leaves_out_an_event_that_is_cut_off() -> None:
    assert read("\ufeffdata: 1\n\nid: 2\ndata: 2\n") == [ServerSentEvent(None, "message", 1)]


def test_notes_the_reconnection_time_and_the_end_of_a_run() -> None:
    parser = EventParser()
    assert list(parser.feed(b"retry: 1000\n\ndata: [DONE]\n\n")) == []
    assert (parser.retry_seconds, parser.is_done) == (1.0, True)
