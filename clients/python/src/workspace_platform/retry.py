"""Decisions on retries, without input and output."""

from __future__ import annotations

from .errors import ApiError, NetworkError

#: A longer wait is left to the caller.
MAX_RETRY_AFTER_SECONDS = 60.0


def is_retryable(error: BaseException) -> bool:
    """Returns True after a failed connection, 408, 409 `idempotency_in_flight`, 429 and 5xx.

    Requests are safe to repeat: reads, deletions and token requests are idempotent, changes have an idempotency key.
    There is no retry after a timeout or a Retry-After above the limit.
    """
    if not isinstance(error, ApiError):
        return isinstance(error, NetworkError)
    in_flight = error.status == 409 and error.code == "idempotency_in_flight"
    is_temporary = error.status in (408, 429) or error.status >= 500 or in_flight
    return is_temporary and (error.retry_after_seconds or 0.0) <= MAX_RETRY_AFTER_SECONDS


def retry_delay_seconds(attempt: int, error: BaseException, random: float) -> float:
    """Returns the pause: Retry-After, or exponential from 0.2 s. Jitter adds up to a half."""
    retry_after = error.retry_after_seconds if isinstance(error, ApiError) else None
    base = 0.2 * 2**attempt if retry_after is None else retry_after
    return base * (1 + random / 2)
