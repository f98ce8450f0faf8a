"""The header Retry-After (RFC 9110 section 10.2.3)."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def read_retry_after_seconds(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Returns Retry-After in seconds: a number, or the time until a date, 0 for one in the past; None without one."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,15}", value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))
