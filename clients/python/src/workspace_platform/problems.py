"""The errors by their codes: `NotFoundError` for `not_found`, and so on."""

from .generated.problems import *  # noqa: F403
from .generated.problems import create_api_error as create_api_error
