"""Writes the generated modules from docs/openapi.json: `python -m generator [PATH]`, in clients/python."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from .api import write_api
from .models import Models
from .problems import write_problems
from .unasync import to_sync

FOLDER = Path(__file__).resolve().parent.parent / "src/workspace_platform"
DOCUMENT = Path(__file__).resolve().parents[3] / "docs/openapi.json"


def main() -> None:
    document = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else DOCUMENT).read_text())
    models = Models(document)
    api = write_api(document, models)
    modules = {
        "__init__": '"""Generated from the OpenAPI document and the asynchronous modules."""\n',
        "async_api": api,
        "sync_api": _synchronous(api),
        "models": models.write(),
        "problems": write_problems(document),
    }
    for name in ("jobs", "pages", "sender", "transport"):
        text = (FOLDER / f"async_{name}.py").read_text().replace("from .", "from ..")
        modules[f"sync_{name}"] = _synchronous(text)
    target = FOLDER / "generated"
    target.mkdir(exist_ok=True)
    for name, text in modules.items():
        (target / f"{name}.py").write_text(text)


def _synchronous(text: str) -> str:
    """Returns a synchronous module, which imports the other generated ones beside it."""
    return re.sub(r"from \.\.(sync_\w+) ", r"from .\1 ", to_sync(text))


main()
