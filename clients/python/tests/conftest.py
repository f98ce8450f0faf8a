"""The fault server of the TypeScript client, in a process of its own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def fault_server() -> Iterator[str]:
    """Starts the server with the Node.js of the repository. Returns its address."""
    node = shutil.which("node", path=str(ROOT / "node_modules/.bin"))
    assert node is not None, "the repository is not installed"
    program = [node, str(ROOT / "packages/client/test/faults/main.ts")]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()
