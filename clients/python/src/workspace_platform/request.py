"""Requests as the contract of an endpoint declares them."""

from __future__ import annotations

import json
import platform
import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal
from urllib.parse import quote

import httpx

from .upload import Upload


@cache
def user_agent() -> str:
    """Returns the name and version of the client, and the version of Python."""
    # Imported late: it takes longer than a request is prepared.
    from importlib.metadata import PackageNotFoundError, version

    try:
        name = f"workspace-platform-python/{version('workspace-platform')}"
    except PackageNotFoundError:
        name = "workspace-platform-python"
    return f"{name} python/{platform.python_version()}"


ResultKind = Literal["data", "status", "page", "deleted", "bare", "events", "file"]


@dataclass(frozen=True)
class Endpoint:
    """The part of the contract of an endpoint that the client reads."""

    id: str
    method: str
    path: str
    kind: ResultKind
    #: Called without a credential.
    is_public: bool = False
    #: The body is sent as it is, without a time limit.
    is_upload: bool = False
    #: Changes something, so it has an idempotency key.
    has_key: bool = False
    #: The platform may take minutes to respond.
    is_long: bool = False
    #: The field that identifies a deleted resource.
    id_field: str = "id"


@dataclass(frozen=True)
class RawResponse:
    """A response with its body, parsed if it is JSON."""

    status: int
    headers: httpx.Headers
    body: Any

    @property
    def request_id(self) -> str | None:
        """Value of `x-request-id`, for support."""
        value: str | None = self.headers.get("x-request-id")
        return value


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """Options of one call."""

    #: A call with the key of an earlier one gets its response. By default every call has its own key.
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Time limit of one attempt in seconds, in place of that of the client.
    timeout: float | None = None
    #: Retries, in place of those of the client.
    max_retries: int | None = None
    #: Called with the response of a call that succeeded.
    on_response: Callable[[RawResponse], None] | None = None


@dataclass(frozen=True)
class Request:
    """A request without the headers of the credential."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | Upload | None

    @property
    def is_repeatable(self) -> bool:
        """False for an iterable that can be sent only once."""
        return not isinstance(self.content, Upload) or self.content.is_repeatable

    def open(self) -> bytes | Iterable[bytes] | None:
        """Returns the body of one attempt."""
        return self.content.open() if isinstance(self.content, Upload) else self.content


def build_request(
    base_url: str,
    endpoint: Endpoint,
    path: Mapping[str, object],
    query: Mapping[str, object],
    body: object,
    headers: Mapping[str, str],
    idempotency_key: str | None,
) -> Request:
    """Builds a request. All attempts send it under the same idempotency key."""
    own: dict[str, str] = {}
    content: bytes | Upload | None = None
    if isinstance(body, Upload):
        own["content-type"], content = body.content_type, body
    elif body is not None:
        own["content-type"], content = "application/json", json.dumps(body).encode()
    key = idempotency_key or (str(uuid.uuid4()) if endpoint.has_key else None)
    if key is not None:
        own["idempotency-key"] = key
    url = base_url + _fill_path(endpoint, path)
    pairs = _serialize_query(query)
    return Request(endpoint.method, str(httpx.URL(url, params=pairs)) if pairs else url, own | dict(headers), content)


def _fill_path(endpoint: Endpoint, values: Mapping[str, object]) -> str:
    def fill(match: re.Match[str]) -> str:
        value = values.get(match[1])
        if value is None or value in ("", ".", ".."):
            raise ValueError(f"{endpoint.id}: the path parameter {match[1]} cannot be {value!r}")
        return quote(str(value), safe="")

    return re.sub(r"\{(\w+)\}", fill, endpoint.path)


def _serialize_query(query: Mapping[str, object]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", _text(member)) for key, member in value.items()]
        elif value is not None:
            pairs.append((name, _text(value)))
    return pairs


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
