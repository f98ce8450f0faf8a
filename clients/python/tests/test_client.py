"""Requests, results and credentials, with responses of a stand-in for the platform."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from workspace_platform import (
    AccessToken,
    ApiKey,
    AsyncClient,
    CallOptions,
    Client,
    Credential,
    InvalidResponseError,
    JobFailedError,
    RawResponse,
    ServicePrincipal,
    WaitTimeoutError,
    async_wait_for,
    wait_for,
)
from workspace_platform.problems import ExpiredCredentialError, ValidationFailedError

Handler = Callable[[httpx.Request], httpx.Response]


def create_client(handler: Handler, credential: Credential | None = None, **options: Any) -> Client:
    http = httpx.Client(transport=httpx.MockTransport(handler))
    return Client("https://api.example.com/", credential or ApiKey("key_test"), http_client=http, **options)


def data(value: object, status: int = 200, **more: object) -> httpx.Response:
    return httpx.Response(status, json={"success": True, "data": value, **more})


def test_a_request_has_path_query_body_workspace_and_idempotency_key() -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return data({"name": "A"}, 201)

    client = create_client(handle, workspace_id="ws_1")
    options = CallOptions(idempotency_key="mine", headers={"x-request-id": "req-mine"})
    result = client.system.put_variable({"name": "A", "value": "x"}, options=options)
    assert result.status == "created" and result.data["name"] == "A"
    client.system.get_variable("A/B?")
    first, second = seen
    assert str(first.url) == "https://api.example.com/v1/system/workspace/variables"
    assert json.loads(first.content) == {"name": "A", "value": "x"}
    sent = {"x-api-key": "key_test", "x-workspace-key": "ws_1", "idempotency-key": "mine", "x-request-id": "req-mine"}
    assert sent.items() <= dict(first.headers).items()
    assert second.url.raw_path == b"/v1/system/workspace/variables/A%2FB%3F"
    assert "idempotency-key" not in second.headers


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_path_parameter_cannot_lead_to_another_path(name: str) -> None:
    with pytest.raises(ValueError, match="path parameter name"):
        create_client(lambda _: data({})).system.delete_variable(name)


def test_a_list_iterates_over_all_pages_and_requests_one_when_it_is_needed() -> None:
    cursors: list[str | None] = []

    def handle(request: httpx.Request) -> httpx.Response:
        cursor = request.url.params.get("cursor")
        cursors.append(cursor)
        following = {None: "second", "second": "third"}.get(cursor)
        return data([{"name": cursor}], pagination={"next_cursor": following})

    client = create_client(handle)
    sources = iter(client.data.list_sources(limit=1, metadata={"team": "north"}))
    assert next(sources)["name"] is None
    assert cursors == [None]
    assert [source["name"] for source in sources] == ["second", "third"]
    assert client.data.list_sources(cursor="third").first_page().next_cursor is None


def test_a_list_with_a_body_sends_it_with_the_cursor_of_each_page() -> None:
    bodies: list[dict[str, object]] = []

    def handle(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        cursor = "second" if "cursor" not in bodies[-1] else None
        return data([{"title": cursor}], pagination={"next_cursor": cursor})

    hits = create_client(handle).data.search_records({"query": "archive", "filters": {"floor": {"gte": 1}}})
    assert [hit["title"] for hit in hits] == ["second", None]
    first = {"query": "archive", "filters": {"floor": {"gte": 1}}}
    assert bodies == [first, {**first, "cursor": "second"}]


def test_an_error_has_the_class_of_its_code_and_the_invalid_fields() -> None:
    errors = [{"pointer": "/name", "detail": "is required"}]
    problem = {"code": "validation_failed", "detail": "/name: is required", "request_id": "req-1", "errors": errors}
    client = create_client(lambda _: httpx.Response(400, json=problem))
    with pytest.raises(ValidationFailedError, match="is required") as caught:
        client.data.create_source({"name": "", "provider": "upload"})
    assert (caught.value.status, caught.value.request_id, caught.value.errors) == (400, "req-1", errors)


def test_a_call_reports_its_raw_response() -> None:
    raw: list[RawResponse] = []
    client = create_client(lambda _: httpx.Response(200, json={"data": {}}, headers={"etag": '"1"'}))
    client.system.get_workspace(options=CallOptions(on_response=raw.append))
    assert (raw[0].status, raw[0].headers["etag"], raw[0].body) == (200, '"1"', {"data": {}})


def test_a_response_that_is_not_from_the_platform_is_refused() -> None:
    with pytest.raises(InvalidResponseError, match="not from the platform"):
        create_client(lambda _: httpx.Response(200, text="<html>")).system.get_workspace()


class TokenServer:
    """Issues the tokens `token 1`, `token 2` and so on, and accepts those that are listed."""

    def __init__(self, *accepted: str) -> None:
        self.accepted, self.exchanges, self.bearers = accepted, 0, list[str]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/auth/token":
            self.exchanges += 1
            assert json.loads(request.content) == {"client_id": "sp_1", "client_secret": "hush"}
            return httpx.Response(200, json={"access_token": f"token {self.exchanges}", "expires_in": 3600})
        bearer = request.headers["authorization"].removeprefix("Bearer ")
        self.bearers.append(bearer)
        return data({}) if bearer in self.accepted else httpx.Response(401, json={"code": "expired_credential"})


def test_a_service_principal_exchanges_its_secret_once_and_renews_a_rejected_token() -> None:
    server = TokenServer("token 2")
    client = create_client(server, ServicePrincipal("sp_1", "hush"))
    client.system.get_workspace()
    client.system.get_workspace()
    assert (server.exchanges, server.bearers) == (2, ["token 1", "token 2", "token 2"])


def test_a_call_is_rejected_when_the_renewed_token_is_rejected_too() -> None:
    server = TokenServer()
    with pytest.raises(ExpiredCredentialError):
        create_client(server, ServicePrincipal("sp_1", "hush")).system.get_workspace()
    assert server.bearers == ["token 1", "token 2"]


def test_an_access_token_of_a_function_is_requested_again_when_it_is_rejected() -> None:
    tokens = iter(["stale", "fresh"])
    server = TokenServer("fresh")
    create_client(server, AccessToken(lambda: next(tokens))).system.get_workspace()
    assert server.bearers == ["stale", "fresh"]


async def call_concurrently(server: TokenServer) -> None:
    http = httpx.AsyncClient(transport=httpx.MockTransport(server))
    async with AsyncClient("https://api.example.com", ServicePrincipal("sp_1", "hush"), http_client=http) as client:
        await asyncio.gather(*(client.system.get_workspace() for _ in range(5)))


def test_concurrent_calls_share_an_exchange() -> None:
    server = TokenServer("token 1")
    asyncio.run(call_concurrently(server))
    assert (server.exchanges, len(server.bearers)) == (1, 5)


def test_secrets_are_in_no_representation() -> None:
    credentials = [ApiKey("key_1"), AccessToken("key_1"), ServicePrincipal("sp_1", "key_1")]
    assert "key_1" not in repr(credentials)
    assert "sp_1" in repr(credentials)


def test_white_space_around_a_secret_is_removed() -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return data({})

    for credential in (ApiKey(" key_1\n"), AccessToken("key_1\r\n"), AccessToken(lambda: "key_1\n")):
        create_client(handle, credential).system.get_workspace()
    assert seen[0].headers["x-api-key"] == "key_1"
    assert [request.headers["authorization"] for request in seen[1:]] == ["Bearer key_1"] * 2


@pytest.mark.parametrize("secret", ["", " \n", "key\n_1", "key 1", "kéy_1", "key_1\x00"])
def test_a_secret_that_no_header_can_carry_is_refused_without_showing_it(secret: str) -> None:
    for create in (ApiKey, lambda value: ServicePrincipal("sp_1", value), lambda value: AccessToken(value).read()):
        with pytest.raises(ValueError, match="^(API key|access token|client secret): (is empty|contains white space)") as caught:
            create(secret)
        assert secret.strip() == "" or secret not in str(caught.value)


def test_address_and_credential_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return data({})

    def read(**variables: str) -> None:
        for name in ("WP_BASE_URL", "WP_API_KEY", "WP_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        Client(http_client=httpx.Client(transport=httpx.MockTransport(handle))).system.get_workspace()

    address = "https://eu.example.com"
    read(WP_BASE_URL=address, WP_API_KEY="key_1\n")
    read(WP_BASE_URL=address, WP_TOKEN="token_1")
    assert [request.url.host for request in seen] == ["eu.example.com"] * 2
    assert seen[0].headers["x-api-key"] == "key_1"
    assert seen[1].headers["authorization"] == "Bearer token_1"
    with pytest.raises(ValueError, match="^base_url: .* WP_BASE_URL$"):
        read(WP_API_KEY="key_1")
    with pytest.raises(ValueError, match="^credential: .* WP_API_KEY or WP_TOKEN$"):
        read(WP_BASE_URL=address)
    with pytest.raises(ValueError, match="^credential: WP_API_KEY and WP_TOKEN are both set"):
        read(WP_BASE_URL=address, WP_API_KEY="key_1", WP_TOKEN="token_1")


def test_requests_name_the_client_and_its_version() -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return data({})

    create_client(handle).system.get_workspace()
    create_client(handle, headers={"User-Agent": "own/1"}).system.get_workspace()
    assert [request.headers.get_list("user-agent") for request in seen][1] == ["own/1"]
    assert seen[0].headers["user-agent"].startswith("workspace-platform-python/0.1.0 python/3.")


def job_states(*states: str) -> Handler:
    """Returns a platform whose run has one state after the other, and keeps the last."""
    remaining = list(states)

    def handle(_request: httpx.Request) -> httpx.Response:
        status = remaining.pop(0) if len(remaining) > 1 else remaining[0]
        error = {"code": "no_usable_series", "message": "No series"} if status == "failed" else None
        return data({"id": "fr_1", "status": status, "progress": 0.5, "error": error})

    return handle


def test_waiting_reads_a_job_until_it_ends() -> None:
    client = create_client(job_states("queued", "running", "finished"))
    seen: list[str] = []
    run = wait_for(
        lambda: client.solutions.get_forecast_run("fr_1"), on_progress=lambda job: seen.append(job["status"])
    )
    assert run["status"] == "finished" and seen == ["queued", "running", "finished"]


def test_waiting_raises_for_a_job_that_failed_or_takes_too_long() -> None:
    failing = create_client(job_states("failed"))
    with pytest.raises(JobFailedError, match=r"fr_1 failed: No series \(no_usable_series\)") as caught:
        wait_for(lambda: failing.solutions.get_forecast_run("fr_1"))
    assert caught.value.job["status"] == "failed"
    cancelled = create_client(job_states("cancelled"))
    with pytest.raises(JobFailedError, match="fr_1 was cancelled"):
        wait_for(lambda: cancelled.solutions.get_forecast_run("fr_1"))
    running = create_client(job_states("running"))
    with pytest.raises(WaitTimeoutError, match="fr_1 is running after 0.1 s"):
        wait_for(lambda: running.solutions.get_forecast_run("fr_1"), timeout=0.1)


def test_waiting_asynchronously() -> None:
    async def run() -> str:
        http = httpx.AsyncClient(transport=httpx.MockTransport(job_states("running", "finished")))
        async with AsyncClient("https://api.example.com", ApiKey("key"), http_client=http) as client:
            job = await async_wait_for(lambda: client.solutions.get_forecast_run("fr_1"))
            return job["status"]

    assert asyncio.run(run()) == "finished"
