import { OpenAiError, openAiErrorOf } from '../ai/openai-shapes.ts'
import { scimErrorSchema } from '../auth/directory/scim-protocol.ts'
import type { ErrorFormat } from '../core/endpoint/endpoint.ts'
import { type ErrorCode, errorCodes, problem, problemBody } from '../core/error/error.ts'
import { quotaNames } from '../core/quota/quota.ts'
import { problemExamples } from './examples/problem-examples.ts'
import type { Components } from './schema/components.ts'
import type { Json } from './schema/json.ts'

const onlyWith = (codes: string, text: string) => `Only with ${codes}: ${text}`
const withGate = (text: string) => onlyWith('`gate_not_passed`', text)
const withQuota = (text: string) => onlyWith('`quota_exceeded`', text)

/** The id of what a request with a secret in its response created, changed or renewed. */
const createdIds = Object.fromEntries(
  ['client_id', 'key_id', 'session_id', 'webhook_id'].map((name) => [
    name,
    { type: 'string', description: onlyWith('`secret_not_replayable`', 'the subject of the first request') },
  ]),
)

/** The body of every error response. */
export const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457 problem details inside the envelope',
  required: ['success', 'type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    success: { type: 'boolean', const: false, description: 'Always false' },
    type: { type: 'string', format: 'uri', description: 'The documentation page of the code' },
    title: { type: 'string', description: 'The meaning of the code, always the same' },
    status: { type: 'integer', description: 'The status of the response' },
    code: { type: 'string', 'x-extensible-enum': errorCodes, description: 'Stable; decide by it' },
    detail: { type: 'string', description: 'What is wrong with this request' },
    request_id: { type: 'string', description: 'The same as `x-request-id`' },
    errors: {
      type: 'array',
      description: 'The invalid fields',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901), or `?name` of a parameter' },
          detail: { type: 'string', description: 'What is wrong with the field' },
        },
      },
    },
    required_scope: { type: 'string', description: onlyWith('`missing_scope`', 'the scope that the request needs') },
    quota: { type: 'string', 'x-extensible-enum': quotaNames, description: withQuota('the exhausted quota') },
    kind: { type: 'string', description: withQuota('the kind of job, for `queued_jobs`') },
    limit: { type: 'integer', format: 'int64', description: withQuota('the limit of the quota') },
    current: { type: 'integer', format: 'int64', description: withQuota('the use before the request') },
    meter: { type: 'string', description: withQuota('the exhausted meter of the plan') },
    resets_at: { type: 'string', format: 'date-time', description: withQuota('the time when the meter starts again') },
    max_age: {
      type: 'integer',
      description: onlyWith('`reauthentication_required`', 'seconds that an authentication counts as recent'),
    },
    required: { type: 'integer', description: onlyWith('`series_too_short`', 'the points that a forecast needs') },
    available: { type: 'integer', description: onlyWith('`series_too_short`', 'the points that the series has') },
    deletions: { type: 'integer', description: onlyWith('`too_many_deletions`', 'the records that would be deleted') },
    records: { type: 'integer', description: onlyWith('`too_many_deletions`', 'the records that the source has') },
    scopes_beyond: {
      type: 'array',
      description: onlyWith('`scope_escalation`', 'the scopes that the credential of the request does not have'),
      items: { type: 'string' },
    },
    users: {
      type: 'array',
      description: onlyWith('`integration_in_use`', 'what uses the integration'),
      items: {
        type: 'object',
        required: ['service', 'type', 'id'],
        properties: {
          service: { type: 'string', description: 'The service of the resource' },
          type: { type: 'string', description: 'Kind of the resource' },
          id: { type: 'string', description: 'Identifier of the resource' },
        },
      },
    },
    ...createdIds,
    version: { type: 'integer', description: withGate('the version that was to become active') },
    reasons: { type: 'array', items: { type: 'string' }, description: withGate('what the gate requires') },
    evaluation_id: { type: ['string', 'null'], description: withGate('the last evaluation of the version') },
    pass_rate: { type: ['number', 'null'], description: withGate('the share of its cases that pass') },
    failing_cases: {
      type: 'array',
      items: { $ref: '#/components/schemas/FailingCase' },
      description: withGate('cases that do not pass, at most 100'),
    },
    run_id: { type: 'string', description: onlyWith('`conversation_busy` or `model_failed`', 'the run') },
    conversation_id: { type: 'string', description: onlyWith('`model_failed`', 'the conversation of the run') },
    // Without a type: the token endpoints have a text of this name.
    error: { description: onlyWith('`model_failed`', 'the error of the run: `code`, `message`, `retryable`') },
  },
}

/** The body of an error response of the token endpoints: a problem with the members of RFC 6749 section 5.2. */
export const oauthProblemSchema = (components: Components): Json => ({
  description: 'A problem with the members of an OAuth error (RFC 6749 section 5.2)',
  allOf: [
    components.addSchema('Problem', problemSchema, 'output'),
    {
      type: 'object',
      required: ['error', 'error_description'],
      properties: {
        error: {
          type: 'string',
          description: 'Code of the error by RFC 6749 section 5.2 and its extensions',
          'x-extensible-enum': [
            'invalid_request',
            'invalid_client',
            'invalid_grant',
            'invalid_scope',
            'invalid_target',
            'unsupported_grant_type',
            'unsupported_token_type',
            'server_error',
          ],
        },
        error_description: { type: 'string', description: 'The same as `detail`, in ASCII' },
      },
    },
  ],
})

/** The body of an error response for clients of OpenAI. */
export const openAiProblemSchema = (components: Components): Json => ({
  description: 'A problem with the member of an error of OpenAI',
  allOf: [components.addSchema('Problem', problemSchema, 'output'), components.schemaOf(OpenAiError, 'output')],
})

/** The body of an error response of the directory protocol. */
export const scimProblemSchema: Json = {
  ...problemSchema,
  description: 'An error of RFC 7644 section 3.12 with the members of a problem, whose status is a text here',
  required: ['schemas', 'success', 'type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    ...(problemSchema.properties as Json), // an object, as above
    schemas: {
      type: 'array',
      items: { type: 'string', const: scimErrorSchema },
      description: 'URN of the schema of errors',
    },
    status: { type: 'string', description: 'The status of the response' },
    scimType: { type: 'string', description: 'The kind of the error, where RFC 7644 names one, such as `uniqueness`' },
  },
}

const exampleBase = 'https://api.example.com'
const exampleRequestId = 'req-9544841b-519e-4fa5-b78c-db51124cf86f'

/** Formats of error bodies in the document. */
export type ProblemFormat = Exclude<ErrorFormat, 'page'>

/** Returns an example of an error response. */
export function problemExample(code: ErrorCode, format: ProblemFormat): Json {
  const body = problemBody(problem(code, problemExamples[code]), exampleBase, exampleRequestId)
  if (format === 'scim') return { ...body, schemas: [scimErrorSchema], status: String(body.status) }
  if (format === 'problem') return body
  if (format === 'openai') return { ...body, ...openAiErrorOf(problem(code, problemExamples[code])) }
  const isOwn = /^(invalid_(request|client|grant|scope|target)|unsupported_(grant|token)_type)$/.test(code)
  const error = isOwn ? code : Number(body.status) >= 500 ? 'server_error' : 'invalid_request'
  return { ...body, error, error_description: body.detail }
}
