"""Sends one request: attempts, their time limits and retries."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

import httpx

from .errors import AttemptTimeoutError, InvalidResponseError, NetworkError, PlatformError
from .request import CallOptions, RawResponse, Request, user_agent
from .result import MAX_RESPONSE_BYTES, error_of, parse_response
from .retry import is_retryable, retry_delay_seconds

R = TypeVar("R")


class AsyncSender:
    """Sends the requests of a client."""

    def __init__(self, base_url: str, max_retries: int, http_client: httpx.AsyncClient | None) -> None:
        self._base_url = base_url
        self._max_retries = max_retries
        self._http = http_client or httpx.AsyncClient(follow_redirects=False)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def send(self, request: Request, auth: Mapping[str, str], timeout: float | None) -> httpx.Response:
        """Returns a success response when its headers have arrived. The caller closes it."""
        content = request.open()
        headers = httpx.Headers({"user-agent": user_agent()})
        headers.update(auth)
        headers.update(request.headers)
        built = self._http.build_request(
            request.method,
            request.url,
            headers=headers,
            content=content if content is None or isinstance(content, bytes) else _chunks(content),
            timeout=timeout,
        )
        try:
            response = await self._http.send(built, stream=True)
        except httpx.TimeoutException as cause:
            raise _timeout_error(timeout) from cause
        except httpx.RequestError as cause:
            raise self.network_error(cause) from cause
        if response.is_success:
            return response
        deadline = None if timeout is None else time.monotonic() + timeout
        raise error_of(response, await self._read_body(response, timeout, deadline))

    async def read(self, request: Request, auth: Mapping[str, str], timeout: float | None) -> RawResponse:
        """Returns a success response with its body."""
        deadline = None if timeout is None else time.monotonic() + timeout
        response = await self.send(request, auth, timeout)
        return parse_response(response, await self._read_body(response, timeout, deadline))

    async def _read_body(self, response: httpx.Response, timeout: float | None, deadline: float | None) -> bytes:
        """Reads a response within the time limit of the attempt; a time limit of httpx is one of each read."""
        content = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > MAX_RESPONSE_BYTES:
                    raise InvalidResponseError(f"the response is larger than {MAX_RESPONSE_BYTES} bytes")
                if deadline is not None and time.monotonic() > deadline:
                    raise _timeout_error(timeout)
        except httpx.TimeoutException as cause:
            raise _timeout_error(timeout) from cause
        except httpx.RequestError as cause:
            raise self.network_error(cause) from cause
        finally:
            await response.aclose()
        return bytes(content)

    async def retry(self, request: Request, options: CallOptions, attempt: Callable[[], Awaitable[R]]) -> R:
        """Repeats an attempt if that is safe and may succeed."""
        retries = self._max_retries if options.max_retries is None else options.max_retries
        for number in range(retries if request.is_repeatable else 0):
            try:
                return await attempt()
            except PlatformError as error:
                if not is_retryable(error):
                    raise
                delay = retry_delay_seconds(number, error, random.random())
            await asyncio.sleep(delay)
        return await attempt()

    def network_error(self, cause: httpx.RequestError) -> NetworkError:
        """Returns the error of a failed connection."""
        return NetworkError(f"no complete response from {self._base_url}: {str(cause) or type(cause).__name__}")


def _timeout_error(timeout: float | None) -> AttemptTimeoutError:
    return AttemptTimeoutError(f"no complete response within {timeout} s")


async def _chunks(content: Iterable[bytes]) -> AsyncGenerator[bytes, None]:
    for chunk in content:
        yield chunk
