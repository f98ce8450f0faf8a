"""Errors of calls. Every code of the platform has a subclass of ApiError in `workspace_platform.problems`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .retry_after import read_retry_after_seconds


class PlatformError(Exception):
    """Base of all errors of the client."""


class NetworkError(PlatformError):
    """There was no complete response: the connection failed or was closed. `__cause__` is the reason."""


class AttemptTimeoutError(PlatformError, TimeoutError):
    """An attempt took longer than its time limit."""


class InvalidResponseError(PlatformError):
    """A success response is not one of the platform, for example a page of a proxy, or is too large."""


class WaitTimeoutError(PlatformError, TimeoutError):
    """A job has not ended within the time limit of the waiting. It goes on."""


class JobFailedError(PlatformError):
    """A job failed or was cancelled. `job` is its resource."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        error = job["error"]
        about = f"was {job['status']}" if error is None else f"failed: {error['message']} ({error['code']})"
        super().__init__(f"{job['id']} {about}")
        self.job = job


class ApiError(PlatformError):
    """An error response. `code` is stable; compare classes or codes, not messages."""

    def __init__(self, status: int, headers: Mapping[str, str], problem: object) -> None:
        body: dict[str, Any] = dict(problem) if isinstance(problem, dict) else {}
        detail = body.get("detail")
        super().__init__(detail if isinstance(detail, str) else _describe(status, headers))
        code = body.get("code", body.get("error"))
        errors = body.get("errors")
        self.status = status
        self.headers = headers
        self.body = body
        #: `unknown` if the response is not from the platform, for example from a proxy.
        self.code: str = code if isinstance(code, str) else "unknown"
        #: Id of the request, for support.
        self.request_id: str | None = body.get("request_id") or headers.get("x-request-id")
        #: Invalid fields of the input, each with `pointer` and `detail`.
        self.errors: list[dict[str, str]] = errors if isinstance(errors, list) else []
        self.retry_after_seconds = read_retry_after_seconds(headers)


def _describe(status: int, headers: Mapping[str, str]) -> str:
    if not 300 <= status < 400:
        return f"the response has status {status}"
    location = headers.get("location")
    target = "" if location is None else f" to {location}"
    return f"the server redirects{target}; redirects are not followed: check base_url"
