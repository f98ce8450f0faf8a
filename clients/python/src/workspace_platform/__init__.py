"""The typed client of the workspace platform."""

from .credentials import AccessToken, ApiKey, Credential, ServicePrincipal
from .errors import ApiError, AttemptTimeoutError, InvalidResponseError, NetworkError, PlatformError
from .generated.async_api import AsyncClient
from .generated.sync_api import Client
from .request import CallOptions, RawResponse
from .result import Deleted, Page, Result
from .server_sent_events import ServerSentEvent
from .upload import Upload, file_upload
from .webhooks import WebhookDelivery, WebhookVerificationError, verify_webhook

__all__ = [
    "AccessToken",
    "ApiError",
    "ApiKey",
    "AsyncClient",
    "AttemptTimeoutError",
    "CallOptions",
    "Client",
    "Credential",
    "Deleted",
    "InvalidResponseError",
    "NetworkError",
    "Page",
    "PlatformError",
    "RawResponse",
    "Result",
    "ServerSentEvent",
    "ServicePrincipal",
    "Upload",
    "WebhookDelivery",
    "WebhookVerificationError",
    "file_upload",
    "verify_webhook",
]
