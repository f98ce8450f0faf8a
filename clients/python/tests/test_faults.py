"""Both clients meet every fault of the table in docs/client-faults.md, with the same outcome as the TypeScript client."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from workspace_platform import ApiKey, AsyncClient, AttemptTimeoutError, Client, PlatformError, file_upload

FILE_BYTES = 200_000


@dataclass
class Outcome:
    """The result or the error of a call, and the requests that the server received."""

    scenario: dict[str, Any]
    result: Any
    error: BaseException | None
    requests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        if self.error is None:
            return "result"
        return "TimeoutError" if isinstance(self.error, AttemptTimeoutError) else type(self.error).__name__


def limits_of(scenario: dict[str, Any]) -> dict[str, Any]:
    if "timeoutMs" not in scenario:
        return {}
    name = "stream_idle_timeout" if scenario["call"] == "follow" else "timeout"
    return {name: scenario["timeoutMs"] / 1000}


def call_sync(url: str, scenario: dict[str, Any], file: Path) -> Any:
    base_url = f"{url}/{scenario['name']}/sync"
    with Client(base_url, ApiKey("key_test"), **limits_of(scenario)) as client:
        match scenario["call"]:
            case "read":
                return client.system.get_workspace()
            case "write":
                return client.system.update_workspace({"name": "One"})
            case "upload":
                return client.data.upload_records("src_1", file_upload(file)).data
            case "follow":
                return [event.id for event in client.ai.stream_run_events("run_1")]
            case _:
                return [event.id for event in client.ai.run_agent_stream("agt_1", {"input": "Hi"})]


async def call_async(url: str, scenario: dict[str, Any], file: Path) -> Any:
    base_url = f"{url}/{scenario['name']}/async"
    async with AsyncClient(base_url, ApiKey("key_test"), **limits_of(scenario)) as client:
        match scenario["call"]:
            case "read":
                return await client.system.get_workspace()
            case "write":
                return await client.system.update_workspace({"name": "One"})
            case "upload":
                return (await client.data.upload_records("src_1", file_upload(file))).data
            case "follow":
                return [event.id async for event in client.ai.stream_run_events("run_1")]
            case _:
                return [event.id async for event in client.ai.run_agent_stream("agt_1", {"input": "Hi"})]


def meet(url: str, scenario: dict[str, Any], mode: str, file: Path) -> Outcome:
    outcome = Outcome(scenario, None, None)
    try:
        if mode == "sync":
            outcome.result = call_sync(url, scenario, file)
        else:
            outcome.result = asyncio.run(call_async(url, scenario, file))
    except PlatformError as error:
        outcome.error = error
    outcome.requests = httpx.get(f"{url}/requests/{scenario['name']}/{mode}").json()
    return outcome


@pytest.fixture(scope="module", params=["sync", "async"])
def outcomes(
    request: pytest.FixtureRequest, fault_server: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    """Meets several faults at once: the scenarios wait most of the time."""
    file = tmp_path_factory.mktemp("upload") / "rows.csv"
    file.write_bytes(b"x" * FILE_BYTES)
    scenarios = httpx.get(f"{fault_server}/scenarios").json()
    with ThreadPoolExecutor(8) as pool:
        met = pool.map(lambda scenario: meet(fault_server, scenario, request.param, file), scenarios)
        return {outcome.scenario["name"]: outcome for outcome in met}


def test_every_fault_has_its_outcome(outcomes: dict[str, Outcome]) -> None:
    expected = {name: (one.scenario["outcome"], one.scenario["attempts"]) for name, one in outcomes.items()}
    assert len(expected) > 30
    assert {name: (one.name, len(one.requests)) for name, one in outcomes.items()} == expected


def test_events_are_neither_lost_nor_repeated(outcomes: dict[str, Outcome]) -> None:
    streams = [one for one in outcomes.values() if one.scenario["call"] in ("follow", "start") and one.error is None]
    assert len(streams) >= 5
    for outcome in streams:
        assert outcome.result == ["1", "2", "3", "4", "5"], outcome.scenario["name"]


def test_a_change_has_one_idempotency_key(outcomes: dict[str, Outcome]) -> None:
    for name in ("reset-write", "in-flight", "internal-error"):
        keys = {request["idempotencyKey"] for request in outcomes[name].requests}
        assert len(keys) == 1 and None not in keys


def test_an_upload_sends_the_whole_file_again(outcomes: dict[str, Outcome]) -> None:
    for name in ("upload-again", "upload-reset"):
        assert [request["bytes"] for request in outcomes[name].requests] == [FILE_BYTES, FILE_BYTES]
        assert outcomes[name].result == {"record_count": FILE_BYTES}


def test_errors_have_the_request_id_and_say_what_happened(outcomes: dict[str, Outcome]) -> None:
    assert getattr(outcomes["conflict"].error, "request_id") == "req-fault"
    assert getattr(outcomes["limited-long"].error, "retry_after_seconds") == 3600
    assert getattr(outcomes["html-503"].error, "code") == "unknown"
    assert "redirects to /elsewhere" in str(outcomes["redirect"].error)
    assert "no complete response within 0.5 s" in str(outcomes["no-response"].error)
