// A class for every code of the error catalogue, named after it.
import type { ErrorCode } from '../contracts/types.ts'
import { ApiError } from './errors.ts'

type ErrorClass<Name extends string> = new (
  ...response: ConstructorParameters<typeof ApiError>
) => ApiError & { readonly name: Name }

const errorClass = <const Name extends string>(name: Name): ErrorClass<Name> =>
  class extends ApiError {
    override readonly name = name
  }

export class MalformedRequestError extends errorClass('MalformedRequestError') {}
export class MalformedBodyError extends errorClass('MalformedBodyError') {}
export class ValidationFailedError extends errorClass('ValidationFailedError') {}
export class WorkspaceRequiredError extends errorClass('WorkspaceRequiredError') {}
export class AmbiguousCredentialsError extends errorClass('AmbiguousCredentialsError') {}
export class UnknownReferenceError extends errorClass('UnknownReferenceError') {}
export class UnknownEventKindError extends errorClass('UnknownEventKindError') {}
export class InvalidEndpointError extends errorClass('InvalidEndpointError') {}
export class AmbiguousFormatError extends errorClass('AmbiguousFormatError') {}
export class UnexpectedFormatError extends errorClass('UnexpectedFormatError') {}
export class TooManyDeletionsError extends errorClass('TooManyDeletionsError') {}
export class SeriesTooShortError extends errorClass('SeriesTooShortError') {}
export class InvalidCursorError extends errorClass('InvalidCursorError') {}
export class InvalidRequestError extends errorClass('InvalidRequestError') {}
export class UnsupportedGrantTypeError extends errorClass('UnsupportedGrantTypeError') {}
export class UnsupportedTokenTypeError extends errorClass('UnsupportedTokenTypeError') {}
export class InvalidScopeError extends errorClass('InvalidScopeError') {}
export class InvalidTargetError extends errorClass('InvalidTargetError') {}
export class InvalidInvitationError extends errorClass('InvalidInvitationError') {}
export class InvalidGrantError extends errorClass('InvalidGrantError') {}
export class MissingCredentialError extends errorClass('MissingCredentialError') {}
export class InvalidCredentialError extends errorClass('InvalidCredentialError') {}
export class InvalidLoginError extends errorClass('InvalidLoginError') {}
export class ExpiredCredentialError extends errorClass('ExpiredCredentialError') {}
export class RevokedCredentialError extends errorClass('RevokedCredentialError') {}
export class InvalidTokenError extends errorClass('InvalidTokenError') {}
export class ReauthenticationRequiredError extends errorClass('ReauthenticationRequiredError') {}
export class InvalidClientError extends errorClass('InvalidClientError') {}
export class MissingScopeError extends errorClass('MissingScopeError') {}
export class InsufficientScopeError extends errorClass('InsufficientScopeError') {}
export class WorkspaceForbiddenError extends errorClass('WorkspaceForbiddenError') {}
export class WorkspaceMismatchError extends errorClass('WorkspaceMismatchError') {}
export class BearerRequiredError extends errorClass('BearerRequiredError') {}
export class UserRequiredError extends errorClass('UserRequiredError') {}
export class OriginForbiddenError extends errorClass('OriginForbiddenError') {}
export class PortalLinkForbiddenError extends errorClass('PortalLinkForbiddenError') {}
export class CallerNotAllowedError extends errorClass('CallerNotAllowedError') {}
export class OwnerRequiredError extends errorClass('OwnerRequiredError') {}
export class RecordsRestrictedError extends errorClass('RecordsRestrictedError') {}
export class PasskeyRequiredError extends errorClass('PasskeyRequiredError') {}
export class SignupClosedError extends errorClass('SignupClosedError') {}
export class ScopeEscalationError extends errorClass('ScopeEscalationError') {}
export class QuotaExceededError extends errorClass('QuotaExceededError') {}
export class NotFoundError extends errorClass('NotFoundError') {}
export class ProviderNotConfiguredError extends errorClass('ProviderNotConfiguredError') {}
export class MethodNotAllowedError extends errorClass('MethodNotAllowedError') {}
export class RequestTimeoutError extends errorClass('RequestTimeoutError') {}
export class ConflictError extends errorClass('ConflictError') {}
export class LastOwnerError extends errorClass('LastOwnerError') {}
export class AlreadyMemberError extends errorClass('AlreadyMemberError') {}
export class RoleInUseError extends errorClass('RoleInUseError') {}
export class NameTakenError extends errorClass('NameTakenError') {}
export class IntegrationInUseError extends errorClass('IntegrationInUseError') {}
export class IntegrationDisconnectedError extends errorClass('IntegrationDisconnectedError') {}
export class EmbeddingsNotConnectedError extends errorClass('EmbeddingsNotConnectedError') {}
export class AgentArchivedError extends errorClass('AgentArchivedError') {}
export class GateNotPassedError extends errorClass('GateNotPassedError') {}
export class ConversationBusyError extends errorClass('ConversationBusyError') {}
export class ModelNotConfiguredError extends errorClass('ModelNotConfiguredError') {}
export class SyncRunningError extends errorClass('SyncRunningError') {}
export class IdempotencyInFlightError extends errorClass('IdempotencyInFlightError') {}
export class SecretNotReplayableError extends errorClass('SecretNotReplayableError') {}
export class CursorExpiredError extends errorClass('CursorExpiredError') {}
export class ContentDeletedError extends errorClass('ContentDeletedError') {}
export class PreconditionFailedError extends errorClass('PreconditionFailedError') {}
export class PayloadTooLargeError extends errorClass('PayloadTooLargeError') {}
export class UnsupportedMediaTypeError extends errorClass('UnsupportedMediaTypeError') {}
export class IdempotencyKeyReusedError extends errorClass('IdempotencyKeyReusedError') {}
export class RateLimitedError extends errorClass('RateLimitedError') {}
export class HeaderFieldsTooLargeError extends errorClass('HeaderFieldsTooLargeError') {}
export class InternalError extends errorClass('InternalError') {}
export class ModelFailedError extends errorClass('ModelFailedError') {}
export class BadGatewayError extends errorClass('BadGatewayError') {}
export class ServiceUnavailableError extends errorClass('ServiceUnavailableError') {}
export class EmbeddingsUnavailableError extends errorClass('EmbeddingsUnavailableError') {}
export class SearchTimeoutError extends errorClass('SearchTimeoutError') {}
export class GatewayTimeoutError extends errorClass('GatewayTimeoutError') {}

/** The class of each code. A missing one is a compile error. */
const problemErrors = {
  malformed_request: MalformedRequestError,
  malformed_body: MalformedBodyError,
  validation_failed: ValidationFailedError,
  workspace_required: WorkspaceRequiredError,
  ambiguous_credentials: AmbiguousCredentialsError,
  unknown_reference: UnknownReferenceError,
  unknown_event_kind: UnknownEventKindError,
  invalid_endpoint: InvalidEndpointError,
  ambiguous_format: AmbiguousFormatError,
  unexpected_format: UnexpectedFormatError,
  too_many_deletions: TooManyDeletionsError,
  series_too_short: SeriesTooShortError,
  invalid_cursor: InvalidCursorError,
  invalid_request: InvalidRequestError,
  unsupported_grant_type: UnsupportedGrantTypeError,
  unsupported_token_type: UnsupportedTokenTypeError,
  invalid_scope: InvalidScopeError,
  invalid_target: InvalidTargetError,
  invalid_invitation: InvalidInvitationError,
  invalid_grant: InvalidGrantError,
  missing_credential: MissingCredentialError,
  invalid_credential: InvalidCredentialError,
  invalid_login: InvalidLoginError,
  expired_credential: ExpiredCredentialError,
  revoked_credential: RevokedCredentialError,
  invalid_token: InvalidTokenError,
  reauthentication_required: ReauthenticationRequiredError,
  invalid_client: InvalidClientError,
  missing_scope: MissingScopeError,
  insufficient_scope: InsufficientScopeError,
  workspace_forbidden: WorkspaceForbiddenError,
  workspace_mismatch: WorkspaceMismatchError,
  bearer_required: BearerRequiredError,
  user_required: UserRequiredError,
  origin_forbidden: OriginForbiddenError,
  portal_link_forbidden: PortalLinkForbiddenError,
  caller_not_allowed: CallerNotAllowedError,
  owner_required: OwnerRequiredError,
  records_restricted: RecordsRestrictedError,
  passkey_required: PasskeyRequiredError,
  signup_closed: SignupClosedError,
  scope_escalation: ScopeEscalationError,
  quota_exceeded: QuotaExceededError,
  not_found: NotFoundError,
  provider_not_configured: ProviderNotConfiguredError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  conflict: ConflictError,
  last_owner: LastOwnerError,
  already_member: AlreadyMemberError,
  role_in_use: RoleInUseError,
  name_taken: NameTakenError,
  integration_in_use: IntegrationInUseError,
  integration_disconnected: IntegrationDisconnectedError,
  embeddings_not_connected: EmbeddingsNotConnectedError,
  agent_archived: AgentArchivedError,
  gate_not_passed: GateNotPassedError,
  conversation_busy: ConversationBusyError,
  model_not_configured: ModelNotConfiguredError,
  sync_running: SyncRunningError,
  idempotency_in_flight: IdempotencyInFlightError,
  secret_not_replayable: SecretNotReplayableError,
  cursor_expired: CursorExpiredError,
  content_deleted: ContentDeletedError,
  precondition_failed: PreconditionFailedError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  rate_limited: RateLimitedError,
  header_fields_too_large: HeaderFieldsTooLargeError,
  internal_error: InternalError,
  model_failed: ModelFailedError,
  bad_gateway: BadGatewayError,
  service_unavailable: ServiceUnavailableError,
  embeddings_unavailable: EmbeddingsUnavailableError,
  search_timeout: SearchTimeoutError,
  gateway_timeout: GatewayTimeoutError,
} as const satisfies Record<ErrorCode, ErrorClass<string>>

/** Creates the error of an error response: of the class of its code, or an ApiError if the code is unknown. */
export function createApiError(response: { status: number; headers: Headers }, problem: unknown): ApiError {
  const error = new ApiError(response, problem)
  const known: Partial<Record<string, ErrorClass<string>>> = problemErrors
  const Problem = Object.hasOwn(known, error.code) ? known[error.code] : undefined
  return Problem === undefined ? error : new Problem(response, problem)
}
