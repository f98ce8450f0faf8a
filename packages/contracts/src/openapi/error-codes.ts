import { isCallLimited } from '../billing/meter-limit.ts'
import {
  acceptedCredentials,
  type EndpointDefinition,
  needsWorkspace,
  rejectsDownscopedTokens,
  requiresStepUp,
  respondsWithJson,
  surfaceOf,
} from '../core/endpoint/endpoint.ts'
import { type ErrorCode, errors } from '../core/error/error.ts'

/** Errors of every endpoint, by the edge or the service. */
const commonCodes: readonly ErrorCode[] = [
  'malformed_request',
  'validation_failed',
  'ambiguous_credentials',
  'method_not_allowed',
  'request_timeout',
  'rate_limited',
  'header_fields_too_large',
  'internal_error',
  'bad_gateway',
  'service_unavailable',
  'gateway_timeout',
]

/**
 * Returns the errors an endpoint can respond with, by status: those it declares and those that follow from its
 * definition.
 */
export function errorCodesOf(definition: EndpointDefinition, hasPrecondition: boolean): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...commonCodes,
    ...credentialCodes(definition),
    ...permissionCodes(definition),
    ...inputCodes(definition),
    ...(acceptsIdempotencyKey(definition) ? idempotencyCodes(definition) : []),
    // The precondition is checked by reading the resource, which may not exist.
    ...(hasPrecondition ? (['precondition_failed', 'not_found'] as const) : []),
    ...(definition.errors ?? []),
  ])
  return [...codes].sort((a, b) => errors[a].status - errors[b].status)
}

/** Returns true if the response of an endpoint is stored for an `Idempotency-Key` and replayed. */
export const acceptsIdempotencyKey = (definition: EndpointDefinition): boolean =>
  (definition.method === 'POST' || definition.method === 'PATCH') &&
  definition.credentials !== 'none' &&
  respondsWithJson(definition)

function credentialCodes(definition: EndpointDefinition): ErrorCode[] {
  if (definition.credentials === 'none') return []
  return [
    'missing_credential',
    'invalid_credential',
    'expired_credential',
    'revoked_credential',
    'invalid_token',
    'workspace_forbidden',
    'workspace_mismatch',
    ...(needsWorkspace(definition) ? (['workspace_required'] as const) : []),
    ...(requiresStepUp(definition) ? (['reauthentication_required'] as const) : []),
  ]
}

function permissionCodes(definition: EndpointDefinition): ErrorCode[] {
  const isOpen = definition.credentials === 'none'
  const codes: ErrorCode[] = []
  if (isCallLimited(definition)) codes.push('quota_exceeded')
  if (definition.scope !== undefined) codes.push('missing_scope')
  if (rejectsDownscopedTokens(definition)) codes.push('insufficient_scope')
  if (!isOpen && !acceptedCredentials(definition).includes('apiKey')) codes.push('bearer_required')
  if (definition.principals !== undefined) codes.push('user_required')
  if (!isOpen && surfaceOf(definition) === 'mcp') codes.push('origin_forbidden')
  return codes
}

function inputCodes(definition: EndpointDefinition): ErrorCode[] {
  const { method, params, list, input, query } = definition
  const codes: ErrorCode[] = []
  if (method !== 'GET') codes.push('malformed_body', 'payload_too_large', 'unsupported_media_type')
  if (input === 'form') codes.push('invalid_request')
  if (list !== undefined && query !== undefined && 'cursor' in query.shape) codes.push('invalid_cursor')
  if (params !== undefined) codes.push('not_found')
  return codes
}

const idempotencyCodes = ({ secret }: EndpointDefinition): ErrorCode[] => [
  'idempotency_in_flight',
  'idempotency_key_reused',
  ...(secret === undefined ? [] : (['secret_not_replayable'] as const)),
]
