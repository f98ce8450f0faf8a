import type { EndpointDefinition } from '../core/endpoint/endpoint.ts'
import { type ErrorCode, errors } from '../core/error/error.ts'
import { errorCodesOf } from './error-codes.ts'
import { type ResponseHeader, responseHeadersOf } from './headers.ts'
import { oauthProblemSchema, problemExample, problemSchema } from './problem-schema.ts'
import type { Components } from './schema/components.ts'
import { type Json, pascalCase } from './schema/json.ts'

/** The name of a status, and its codes that do not show in the name of a component. */
interface ErrorStatus {
  name: string
  usual: readonly ErrorCode[]
  headers?: readonly ResponseHeader[]
}

const errorStatuses: Readonly<Record<number, ErrorStatus>> = {
  400: { name: 'BadRequest', usual: ['malformed_request', 'validation_failed', 'ambiguous_credentials'] },
  401: {
    name: 'Unauthorized',
    usual: ['missing_credential', 'invalid_credential', 'expired_credential', 'revoked_credential', 'invalid_token'],
    headers: ['WWW-Authenticate'],
  },
  403: { name: 'Forbidden', usual: ['workspace_forbidden', 'workspace_mismatch'] },
  404: { name: 'NotFound', usual: ['not_found'] },
  405: { name: 'MethodNotAllowed', usual: ['method_not_allowed'], headers: ['Allow'] },
  408: { name: 'RequestTimeout', usual: ['request_timeout'] },
  409: { name: 'Conflict', usual: ['idempotency_in_flight'] },
  410: { name: 'Gone', usual: ['content_deleted'] },
  412: { name: 'PreconditionFailed', usual: ['precondition_failed'] },
  413: { name: 'PayloadTooLarge', usual: ['payload_too_large'] },
  415: { name: 'UnsupportedMediaType', usual: ['unsupported_media_type'] },
  422: { name: 'UnprocessableContent', usual: ['idempotency_key_reused'] },
  429: { name: 'TooManyRequests', usual: ['rate_limited'], headers: ['Retry-After'] },
  431: { name: 'HeaderFieldsTooLarge', usual: ['header_fields_too_large'] },
  500: { name: 'InternalServerError', usual: ['internal_error'] },
  502: { name: 'BadGateway', usual: ['bad_gateway'] },
  503: { name: 'ServiceUnavailable', usual: ['service_unavailable'], headers: ['Retry-After'] },
  504: { name: 'GatewayTimeout', usual: ['gateway_timeout'] },
}

/** Returns the error responses of an operation by status. Each is a component with an example of every code. */
export function errorResponses(definition: EndpointDefinition, hasPrecondition: boolean, components: Components): Json {
  const { httpResponses: declared = {} } = definition
  const codes = errorCodesOf(definition, hasPrecondition).filter((code) => !(errors[code].status in declared))
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  const isOAuth = definition.limitClass === 'token'
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [status, errorResponse(status, own, isOAuth, components)]),
  )
}

function errorResponse(status: number, codes: readonly ErrorCode[], isOAuth: boolean, components: Components): Json {
  const { name, usual, headers = [] } = errorStatuses[status] ?? { name: `Status${status}`, usual: [] }
  const hasUsual = usual.every((code) => codes.includes(code))
  const further = hasUsual ? codes.filter((code) => !usual.includes(code)) : ['only', ...codes]
  const component = [name, ...further, ...(isOAuth ? ['OAuth'] : [])].map(pascalCase).join('')
  return components.add('responses', component, {
    description: codes.map((code) => `\`${code}\`: ${errors[code].title}.`).join(' '),
    headers: responseHeadersOf(components, headers),
    content: isOAuth
      ? { 'application/json': contentOf(codes, 'OAuthProblem', components) }
      : { 'application/problem+json': contentOf(codes, 'Problem', components) },
    'x-problem-codes': codes,
  })
}

function contentOf(codes: readonly ErrorCode[], schema: 'Problem' | 'OAuthProblem', components: Components): Json {
  const isOAuth = schema === 'OAuthProblem'
  const examples = codes.map((code) => [
    code,
    components.add('examples', isOAuth ? `${code}.oauth` : code, {
      summary: errors[code].title,
      value: problemExample(code, isOAuth),
    }),
  ])
  return {
    schema: components.addSchema(schema, isOAuth ? oauthProblemSchema(components) : problemSchema, 'output'),
    examples: Object.fromEntries(examples),
  }
}
