"""Converts asynchronous code to synchronous code of the same behaviour."""

from __future__ import annotations

import re

_REPLACEMENTS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsyncGenerator\[(.+?), None\]", r"Generator[\1, None, None]"),
    (r"\bAsync(Generator|Iterator)\b", r"\1"),
    (r"\bAwaitable, ", ""),
    (r"\bAwaitable\[(R|J|Page\[T\])\]", r"\1"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r"\bAsync(Client|Pages|Sender|Transport)\b", r"\1"),
    (r"\basync_wait_for\b", "wait_for"),
    (r"\basync_(jobs|pages|sender|transport)\b", r"sync_\1"),
    (r"\ba(iter_bytes|read|close)\(", r"\1("),
    (r"__a(iter|enter|exit)__", r"__\1__"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\basyncio\.Lock\b", "threading.Lock"),
    (r"^import asyncio$", "import threading"),
]


def to_sync(text: str) -> str:
    """Returns the synchronous module."""
    for pattern, replacement in _REPLACEMENTS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text
