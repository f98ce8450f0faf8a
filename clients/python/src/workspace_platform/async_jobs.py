"""Waiting for jobs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from .errors import JobFailedError, WaitTimeoutError

J = TypeVar("J", bound=Mapping[str, object])

_FIRST_PAUSE, _MAX_PAUSE = 0.2, 2.0


async def async_wait_for(
    read: Callable[[], Awaitable[J]],
    *,
    timeout: float | None = None,
    on_progress: Callable[[J], object] | None = None,
) -> J:
    """Reads a job until it is neither queued nor running, and returns it: with pauses of 0.2 seconds, which grow to 2.

    `read` reads the job, such as `lambda: client.solutions.get_forecast_run(run_id)`. `timeout` limits the waiting, in
    seconds; the job goes on. A run of an agent that waits for an approval is returned, too.

    Raises JobFailedError if the job failed or was cancelled, WaitTimeoutError after the time limit.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        job = await read()
        if on_progress is not None:
            on_progress(job)
        if job["status"] in ("failed", "cancelled"):
            raise JobFailedError(job)
        if job["status"] not in ("queued", "running"):
            return job
        if deadline is not None and time.monotonic() + pause > deadline:
            raise WaitTimeoutError(f"{job['id']} is {job['status']} after {timeout:g} s")
        await asyncio.sleep(pause)
        pause = min(_MAX_PAUSE, pause * 1.5)
