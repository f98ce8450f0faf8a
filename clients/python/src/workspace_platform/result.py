"""Results of methods, read from responses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import httpx

from .errors import ApiError, InvalidResponseError
from .problems import create_api_error
from .request import Endpoint, RawResponse

T = TypeVar("T")
Status = Literal["ok", "created", "accepted"]

#: A larger response is not read: no endpoint that is read as a whole has one.
MAX_RESPONSE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Result(Generic[T]):
    """The result of an endpoint with several success statuses."""

    status: Status
    data: T


@dataclass(frozen=True)
class Deleted:
    """The id of a deleted resource."""

    id: str


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of a list."""

    items: list[T]
    #: Opaque cursor of the next page; None on the last one.
    next_cursor: str | None
    #: About the list as a whole, if the endpoint has it.
    meta: Any = None


def parse_response(response: httpx.Response, content: bytes) -> RawResponse:
    """Returns a response with its body, which is None if it is not JSON."""
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    return RawResponse(response.status_code, response.headers, body)


def error_of(response: httpx.Response, content: bytes) -> ApiError:
    """Returns the error of an error response."""
    return create_api_error(response.status_code, response.headers, parse_response(response, content).body)


def run_id_of(response: RawResponse) -> str:
    """Returns the id of the run: a repeated request is answered with the run that the first one has started."""
    data = response.body.get("data") if isinstance(response.body, dict) else None
    run_id = (data.get("run_id") or data.get("id")) if isinstance(data, dict) else None
    if not isinstance(run_id, str):
        raise InvalidResponseError("the response is not a stream of events")
    return run_id


def read_result(endpoint: Endpoint, response: RawResponse) -> Any:
    """Converts a success response. Raises InvalidResponseError if it is not one of the platform."""
    body = response.body
    refused = InvalidResponseError(
        f"the response to {endpoint.id} with status {response.status} is not from the platform"
    )
    if not isinstance(body, dict):
        raise refused
    if endpoint.kind == "bare":
        return body
    data = body.get("data")
    if "data" not in body or (endpoint.kind == "page" and not isinstance(data, list)):
        raise refused
    if endpoint.kind == "page":
        return Page(body["data"], (body.get("pagination") or {}).get("next_cursor"), body.get("meta"))
    if endpoint.kind == "deleted":
        return Deleted(body["data"][endpoint.id_field])
    if endpoint.kind == "status":
        statuses: dict[int, Status] = {200: "ok", 201: "created"}
        return Result(statuses.get(response.status, "accepted"), data)
    return data
