"""Bodies of uploads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_CONTENT_TYPES = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".txt": "text/plain",
    ".parquet": "application/vnd.apache.parquet",
    ".ics": "text/calendar",
    ".gz": "application/gzip",
    ".zip": "application/zip",
    ".json": "application/json",
    ".ndjson": "application/x-ndjson",
    ".jsonl": "application/x-ndjson",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
}
_CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True)
class Upload:
    """A body that is sent in chunks. An iterable can be sent only once; a path is read again for a retry."""

    content: bytes | Path | Iterable[bytes]
    content_type: str
    #: Called with the bytes sent and the bytes in total, if known. A retry begins at 0 again.
    on_progress: Callable[[int, int | None], None] | None = None

    @property
    def is_repeatable(self) -> bool:
        return isinstance(self.content, bytes | Path)

    def open(self) -> Iterator[bytes]:
        """Iterates over the content from its beginning."""
        sent = 0
        for chunk in self._chunks():
            yield chunk
            sent += len(chunk)
            if self.on_progress is not None:
                self.on_progress(sent, self._total())

    def _total(self) -> int | None:
        if isinstance(self.content, bytes):
            return len(self.content)
        return self.content.stat().st_size if isinstance(self.content, Path) else None

    def _chunks(self) -> Iterator[bytes]:
        if isinstance(self.content, Path):
            with self.content.open("rb") as file:
                while chunk := file.read(_CHUNK_BYTES):
                    yield chunk
        elif isinstance(self.content, bytes):
            for start in range(0, len(self.content), _CHUNK_BYTES):
                yield self.content[start : start + _CHUNK_BYTES]
        else:
            yield from self.content


def file_upload(
    path: str | Path,
    *,
    content_type: str | None = None,
    on_progress: Callable[[int, int | None], None] | None = None,
) -> Upload:
    """Returns the body of an upload that reads a file in chunks.

    Raises OSError if it cannot be read, ValueError if its content type is not known from its extension.
    """
    file = Path(path)
    known = content_type or _CONTENT_TYPES.get(file.suffix.lower())
    if known is None:
        raise ValueError(f"content_type: is required for {file}")
    with file.open("rb"):
        return Upload(file, known, on_progress)
