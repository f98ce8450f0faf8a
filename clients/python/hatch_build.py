"""Generates the modules that are made from the OpenAPI document, so that an installation from a clone is complete."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GenerateModules(BuildHookInterface):
    """Runs the generator in a clone. A source distribution has the modules already, and no document."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if Path(self.root).parents[1].joinpath("docs/openapi.json").exists():
            subprocess.run([sys.executable, "-m", "generator"], cwd=self.root, check=True)
