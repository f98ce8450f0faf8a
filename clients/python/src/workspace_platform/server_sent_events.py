"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), without input and output."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .errors import InvalidResponseError
from .result import MAX_RESPONSE_BYTES


@dataclass(frozen=True)
class ServerSentEvent:
    """An event with its data, parsed."""

    #: Position of the event in the stream.
    id: str | None
    event: str
    data: Any


class EventParser:
    """Parses the chunks of a stream. An event that is cut off is left out."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._skipped = "\ufeff"
        self._fields: dict[str, str] = {}
        self._data: list[str] = []
        #: The reconnection time of the server, in seconds.
        self.retry_seconds: float | None = None
        #: True after the last event of a run.
        self.is_done = False

    def feed(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """Returns the events that a chunk completes."""
        text = self._decoder.decode(chunk)
        if text == "":
            return
        text = text.removeprefix(self._skipped)
        self._skipped = "\n" if text.endswith("\r") else ""  # the LF of a CRLF may be in the next chunk
        lines = re.split(r"\r\n|\n|\r", self._rest + text)
        self._rest = lines.pop()
        if len(self._rest) > MAX_RESPONSE_BYTES:
            raise InvalidResponseError("a line of the stream is too long")
        for line in lines:
            yield from self._read_line(line)

    def _read_line(self, line: str) -> Iterator[ServerSentEvent]:
        if line == "":
            data, fields = "\n".join(self._data), self._fields
            self._data, self._fields = [], {}
            if data == "[DONE]":
                self.is_done = True
            elif data != "":
                yield ServerSentEvent(fields.get("id"), fields.get("event", "message"), _parse(data))
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name in ("id", "event"):
            self._fields[name] = value
        elif name == "retry" and re.fullmatch(r"[0-9]{1,9}", value):
            self.retry_seconds = int(value) / 1000


def _parse(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as cause:
        raise InvalidResponseError("the data of an event is not JSON") from cause


class StreamPosition:
    """The place at which a stream is resumed, and the pause before that."""

    #: Connections in a row without an event, after which the stream is given up.
    _MAX_FAILURES = 5
    _MAX_PAUSE_SECONDS = 30.0

    def __init__(self) -> None:
        self.last_event_id: str | None = None
        #: The run that the request which opened the stream has started.
        self.run_id: str | None = None
        self._retry_seconds: float = 0.5
        self._failures = 0

    def advance(self, event: ServerSentEvent) -> None:
        """Notes an event that was received. The first event of a run names it."""
        self.last_event_id = event.id or self.last_event_id
        self._failures = 0
        if isinstance(event.data, dict) and event.data.get("type") == "start":
            self.run_id = event.data.get("messageId", self.run_id)

    def fail(self, parser: EventParser, random: float) -> float | None:
        """Notes a lost connection. Returns the pause in seconds, or None when the stream is given up."""
        self._retry_seconds = self._retry_seconds if parser.retry_seconds is None else parser.retry_seconds
        self._failures += 1
        if self._failures > self._MAX_FAILURES:
            return None
        pause = min(self._MAX_PAUSE_SECONDS, self._retry_seconds * 2.0 ** (self._failures - 1))
        return pause * (1 + random / 2)
