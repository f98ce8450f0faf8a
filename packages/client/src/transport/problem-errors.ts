// A class for every code of the error catalogue, named after it: `createApiError` finds it by its name.
import { ApiError } from './errors.ts'

export type ErrorClass<Name extends string> = new (
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
