"""Writes the classes of the client, asynchronous."""

from __future__ import annotations

from typing import Any

from .method import Method
from .models import Models
from .text import pascal

_HEADER = '''"""Generated from the OpenAPI document: a method for every endpoint."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast

import httpx

from ..async_pages import AsyncPages
from ..async_transport import AsyncTransport
from ..credentials import Credential, read_base_url, read_credential
from ..request import CallOptions, Endpoint
from ..result import Deleted, Result
from ..server_sent_events import ServerSentEvent
from ..upload import Upload

# Creating the types takes half of the time of the import, and no method needs them.
if TYPE_CHECKING:
    from . import models
'''

_CLIENT = '''

class AsyncClient:
    """A client of the platform. Every endpoint is a method, `client.<surface>.<verb>(...)`."""

    def __init__(
        self,
        base_url: str | None = None,
        credential: Credential | None = None,
        *,
        workspace_id: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        max_retries: int = 2,
        stream_idle_timeout: float = 60.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Creates a client. Without an address or a credential, those of WP_BASE_URL, and of WP_API_KEY or WP_TOKEN.

        `workspace_id` is required if the credential does not name a workspace. `timeout` limits an attempt, in seconds:
        default 30, and 300 for runs of agents and chat; uploads have none. `stream_idle_timeout` is the longest time
        without a byte of an event stream.
        """
        self._transport = AsyncTransport(
            base_url=read_base_url(base_url),
            credential=read_credential(credential),
            workspace_id=workspace_id,
            headers=headers or {},
            timeout=timeout,
            max_retries=max_retries,
            stream_idle_timeout=stream_idle_timeout,
            http_client=http_client,
        )
%s

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
'''


def _succeeds(operation: Any) -> bool:
    """Returns whether an operation has a successful response: addresses that a browser opens only redirect."""
    return any(status.startswith("2") for status in operation["responses"])


def write_api(document: Any, models: Models) -> str:
    """Returns the module."""
    surfaces: dict[str, list[str]] = {}
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            if isinstance(operation, dict) and "operationId" in operation and _succeeds(operation):
                method = Method(document, models, path, verb.upper(), operation)
                surfaces.setdefault(method.surface, []).append(method.write())
    classes = [
        f"\n\nclass {pascal(name)}Api:\n    def __init__(self, transport: AsyncTransport) -> None:\n"
        f"        self._transport = transport\n{''.join(methods)}"
        for name, methods in surfaces.items()
    ]
    members = "\n".join(f"        self.{name} = {pascal(name)}Api(self._transport)" for name in surfaces)
    return _HEADER + "".join(classes) + _CLIENT % members
