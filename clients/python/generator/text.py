"""Names and docstrings of generated code."""

from __future__ import annotations

import keyword
import re


def pascal(*parts: str) -> str:
    """Returns the name of a type from words and identifiers."""
    words = [word for part in parts for word in re.split(r"[-_.]", part)]
    return "".join(word[:1].upper() + word[1:] for word in words)


def snake(name: str) -> str:
    """Returns the name of a method."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def argument(name: str) -> str:
    """Returns the name of an argument."""
    text = snake(re.sub(r"[-.]", "_", name))
    return f"{text}_" if keyword.iskeyword(text) or text in ("self", "options", "body") else text


def docstring(text: str, indent: str = "") -> str:
    """Returns a docstring."""
    escaped = text.replace("\\", "\\\\").replace('"""', "'''")
    end = " " if escaped.endswith('"') else ""
    lines = f'"""{escaped}{end}"""'.split("\n")
    return "\n".join([lines[0], *(f"{indent}{line}" if line else "" for line in lines[1:])])
