import { scimMediaType } from '../auth/directory/scim-protocol.ts'
import type { EndpointDefinition } from '../core/endpoint/endpoint.ts'
import { type ErrorCode, errors } from '../core/error/error.ts'
import { errorCodesOf } from './error-codes.ts'
import { type ResponseHeader, responseHeadersOf } from './headers.ts'
import {
  oauthProblemSchema,
  openAiProblemSchema,
  type ProblemFormat,
  problemExample,
  problemSchema,
  scimProblemSchema,
} from './problem-schema.ts'
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
  const format = formatOf(definition)
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [status, errorResponse(status, own, format, components)]),
  )
}

/** Error pages are documented as the problems that clients get instead. */
const formatOf = ({ limitClass, protocol }: EndpointDefinition): ProblemFormat =>
  limitClass === 'token' ? 'oauth' : (protocol ?? 'problem')

/** A format of error bodies: its media type, the name and the schema of a body, and the suffix of components. */
const formats = {
  problem: { type: 'application/problem+json', name: 'Problem', suffix: '', schema: () => problemSchema },
  oauth: { type: 'application/json', name: 'OAuthProblem', suffix: 'OAuth', schema: oauthProblemSchema },
  openai: { type: 'application/json', name: 'OpenAiProblem', suffix: 'OpenAi', schema: openAiProblemSchema },
  scim: { type: scimMediaType, name: 'ScimProblem', suffix: 'Scim', schema: () => scimProblemSchema },
} as const satisfies Record<ProblemFormat, { schema: (components: Components) => Json } & Record<string, unknown>>

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  format: ProblemFormat,
  components: Components,
): Json {
  const { name, usual, headers = [] } = errorStatuses[status] ?? { name: `Status${status}`, usual: [] }
  const hasUsual = usual.every((code) => codes.includes(code))
  const further = hasUsual ? codes.filter((code) => !usual.includes(code)) : ['only', ...codes]
  const { type, suffix } = formats[format]
  const component = [name, ...further].map(pascalCase).join('') + suffix
  return components.add('responses', component, {
    description: codes.map((code) => `\`${code}\`: ${errors[code].title}.`).join(' '),
    headers: responseHeadersOf(components, headers),
    content: { [type]: contentOf(codes, format, components) },
    'x-problem-codes': codes,
  })
}

function contentOf(codes: readonly ErrorCode[], format: ProblemFormat, components: Components): Json {
  const { name, schema } = formats[format]
  const examples = codes.map((code) => [
    code,
    components.add('examples', format === 'problem' ? code : `${code}.${format}`, {
      summary: errors[code].title,
      value: problemExample(code, format),
    }),
  ])
  return {
    schema: components.addSchema(name, schema(components), 'output'),
    examples: Object.fromEntries(examples),
  }
}
