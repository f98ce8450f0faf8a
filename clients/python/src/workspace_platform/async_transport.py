"""Calls, lists, files and streams. The synchronous modules are generated from the asynchronous ones."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx

from .async_pages import AsyncPages
from .async_sender import AsyncSender
from .credentials import CachedToken, Credential, ServicePrincipal, fixed_headers
from .errors import ApiError, NetworkError, PlatformError
from .request import CallOptions, Endpoint, RawResponse, Request, build_request
from .result import Page, parse_response, read_result, run_id_of
from .server_sent_events import EventParser, ServerSentEvent, StreamPosition

R = TypeVar("R")
Values = Mapping[str, object]

_TOKEN_ENDPOINT = Endpoint("auth.exchangeToken", "POST", "/v1/auth/token", "bare", is_public=True)
_TIMEOUT_SECONDS = 30.0
_LONG_TIMEOUT_SECONDS = 300.0


class AsyncTransport:
    """Sends requests with the credential, the retries and the time limits of a client."""

    def __init__(
        self,
        *,
        base_url: str,
        credential: Credential,
        workspace_id: str | None,
        headers: Mapping[str, str],
        timeout: float | None,
        max_retries: int,
        stream_idle_timeout: float,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        if httpx.URL(base_url).scheme not in ("https", "http"):
            raise ValueError(f"base_url: must begin with https:// or http://, not {base_url}")
        self._base_url = base_url.rstrip("/")
        self._credential = credential
        self._workspace = {} if workspace_id is None else {"x-workspace-key": workspace_id}
        self._headers = headers
        self._timeout = timeout
        self._stream_idle_timeout = stream_idle_timeout
        self._sender = AsyncSender(self._base_url, max_retries, http_client)
        self._token: CachedToken | None = None
        self._token_lock = asyncio.Lock()

    async def close(self) -> None:
        """Closes the connections."""
        await self._sender.close()

    async def call(
        self, endpoint: Endpoint, path: Values, query: Values, body: object, options: CallOptions | None
    ) -> Any:
        """Returns the result of an endpoint."""
        chosen = options or CallOptions()
        request = self._build(endpoint, path, query, body, chosen)
        timeout = self._timeout_of(endpoint, chosen)

        async def perform(auth: Mapping[str, str]) -> RawResponse:
            return await self._sender.retry(request, chosen, lambda: self._sender.read(request, auth, timeout))

        response = await self._authorize(endpoint, request, perform)
        if chosen.on_response is not None:
            chosen.on_response(response)
        return read_result(endpoint, response)

    def pages(
        self, endpoint: Endpoint, path: Values, query: Values, body: Mapping[str, Any] | None, options: CallOptions | None
    ) -> AsyncPages[Any]:
        """Returns the pages of a list. The cursor of a list that is requested with a body is a member of the body."""

        async def request_page(cursor: str | None) -> Page[Any]:
            position = {} if cursor is None else {"cursor": cursor}
            if body is None:
                page: Page[Any] = await self.call(endpoint, path, {**query, **position}, None, options)
            else:
                page = await self.call(endpoint, path, query, {**body, **position}, options)
            return page

        cursor = (query if body is None else body).get("cursor")
        return AsyncPages(request_page, cursor if isinstance(cursor, str) else None)

    async def download(
        self, endpoint: Endpoint, path: Values, query: Values, options: CallOptions | None
    ) -> AsyncGenerator[bytes, None]:
        """Iterates over the chunks of a file."""
        chosen = options or CallOptions()
        response = await self._open(endpoint, self._build(endpoint, path, query, None, chosen), chosen)
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except httpx.RequestError as cause:
            raise self._sender.network_error(cause) from cause
        finally:
            await response.aclose()

    async def stream(
        self,
        endpoint: Endpoint,
        path: Values,
        query: Values,
        body: object,
        options: CallOptions | None,
        events_path: str | None = None,
    ) -> AsyncGenerator[ServerSentEvent, None]:
        """Iterates over the events of a stream, and resumes it after the last event when the connection is lost."""
        position = StreamPosition()
        chosen = options or CallOptions()
        first = self._build(endpoint, path, query, body, chosen)
        while True:
            request = self._resume(first, chosen, position, events_path)
            response = await self._open(endpoint, request, chosen)
            parser = EventParser()
            error: PlatformError = NetworkError("the stream ended early: the connection was closed")
            try:
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    position.run_id = run_id_of(parse_response(response, await response.aread()))
                    continue
                async for chunk in response.aiter_bytes():
                    for event in parser.feed(chunk):
                        position.advance(event)
                        yield event
                    if parser.is_done:
                        return
            except httpx.RequestError as cause:
                error = self._sender.network_error(cause)
            finally:
                await response.aclose()
            pause = position.fail(parser, random.random())
            if pause is None:
                raise error
            await asyncio.sleep(pause)

    def _resume(
        self, first: Request, options: CallOptions, position: StreamPosition, events_path: str | None
    ) -> Request:
        """Returns the request for the events after a position."""
        headers = {"accept": "text/event-stream"}
        if position.last_event_id is not None:
            headers["last-event-id"] = position.last_event_id
        request = first
        if events_path is not None and position.run_id is not None:
            events = Endpoint("events", "GET", events_path, "events")
            request = self._build(events, {"id": position.run_id}, {}, None, CallOptions(headers=options.headers))
        return Request(request.method, request.url, request.headers | headers, request.content)

    async def _open(self, endpoint: Endpoint, request: Request, options: CallOptions) -> httpx.Response:
        """Returns a success response when its headers have arrived. The caller closes it."""

        async def perform(auth: Mapping[str, str]) -> httpx.Response:
            return await self._sender.retry(request, options, lambda: self._sender.send(request, auth, self._stream_idle_timeout))

        return await self._authorize(endpoint, request, perform)

    async def _authorize(
        self, endpoint: Endpoint, request: Request, perform: Callable[[Mapping[str, str]], Awaitable[R]]
    ) -> R:
        """Renews a rejected credential and repeats the request once."""
        if endpoint.is_public:
            return await perform({})
        auth = await self._auth_headers()
        try:
            return await perform(self._workspace | auth)
        except ApiError as error:
            if error.status != 401:
                raise
            renewed = await self._renew(auth)
            if renewed == auth or not request.is_repeatable:
                raise
        return await perform(self._workspace | renewed)

    async def _auth_headers(self) -> dict[str, str]:
        known = fixed_headers(self._credential)
        if known is not None or not isinstance(self._credential, ServicePrincipal):
            return known or {}
        async with self._token_lock:
            if self._token is None or self._token.renew_at <= time.monotonic():
                now = time.monotonic()
                token = await self.call(_TOKEN_ENDPOINT, {}, {}, self._credential.exchange_body(), None)
                self._token = CachedToken.create(token["access_token"], token["expires_in"], now)
            return {"authorization": f"Bearer {self._token.value}"}

    async def _renew(self, rejected: Mapping[str, str]) -> dict[str, str]:
        """Returns the present headers, after dropping the cached token if it is the rejected one."""
        async with self._token_lock:
            if self._token is not None and rejected.get("authorization") == f"Bearer {self._token.value}":
                self._token = None
        return await self._auth_headers()

    def _build(self, endpoint: Endpoint, path: Values, query: Values, body: object, options: CallOptions) -> Request:
        headers = {**self._headers, **options.headers}
        return build_request(self._base_url, endpoint, path, query, body, headers, options.idempotency_key)

    def _timeout_of(self, endpoint: Endpoint, options: CallOptions) -> float | None:
        if options.timeout is not None or endpoint.is_upload:
            return options.timeout
        return self._timeout or (_LONG_TIMEOUT_SECONDS if endpoint.is_long else _TIMEOUT_SECONDS)
