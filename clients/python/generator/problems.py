"""Writes a class for every error code."""

from __future__ import annotations

from typing import Any

_HEADER = '''"""Generated from the OpenAPI document: a class for every error code."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import ApiError
'''

_FOOTER = '''
CLASSES: dict[str, type[ApiError]] = {
%s
}


def create_api_error(status: int, headers: Mapping[str, str], problem: object) -> ApiError:
    """Creates the error of an error response: of the class of its code, or an ApiError if the code is unknown."""
    error = ApiError(status, headers, problem)
    known = CLASSES.get(error.code)
    return error if known is None else known(status, headers, problem)
'''


def class_name(code: str) -> str:
    """Returns the name of the class of a code: `NotFoundError` for `not_found`."""
    name = "".join(word.capitalize() for word in code.split("_"))
    return name if name.endswith("Error") else f"{name}Error"


def write_problems(document: Any) -> str:
    """Returns the module."""
    code = document["components"]["schemas"]["Problem"]["properties"]["code"]
    codes: list[str] = code.get("x-extensible-enum") or code["enum"]
    classes = "".join(f'\n\nclass {class_name(code)}(ApiError):\n    """`{code}`"""\n' for code in codes)
    entries = "\n".join(f'    "{code}": {class_name(code)},' for code in codes)
    return _HEADER + classes + "\n" + _FOOTER % entries
