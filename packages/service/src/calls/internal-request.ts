import {
  type EndpointDefinition,
  errorCodes,
  type Problem,
  problem,
  type RequestOf,
  type SuccessStatus,
  serializeQuery,
  serviceOf,
  successStatuses,
  successStatusesOf,
} from '@wp/contracts'
import { type Dispatcher, request } from 'undici'
import { assertionHeader } from '../assertions/assertion.ts'
import { fillPath } from '../http/bound-surface.ts'

/** A call of an endpoint of another service. */
export interface InternalRequest {
  definition: EndpointDefinition
  /** Base address of the service. */
  address: string
  assertion: string
  headers: Record<string, string>
  input: RequestOf<EndpointDefinition>
  /** Cancels the call. */
  signal?: AbortSignal
}

/**
 * Sends a call. @returns the result as the operation of the other service returned it
 * @throws the Problem of the response; `service_unavailable` or `bad_gateway` if there is no usable response; the
 *   reason of `signal` if it is aborted
 */
export async function sendInternalRequest(call: InternalRequest, dispatcher: Dispatcher): Promise<unknown> {
  const { definition, address, assertion, headers, input, signal } = call
  const service = serviceOf(definition)
  const url = new URL(address + fillPath(definition.path, input.params))
  url.search = serializeQuery(input.query).toString()
  const hasBody = input.body !== undefined && definition.method !== 'GET'
  const response = await request(url, {
    dispatcher,
    method: definition.method,
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}), [assertionHeader]: assertion },
    body: hasBody ? JSON.stringify(input.body) : null,
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw problem('service_unavailable', { detail: unavailable(service), cause })
  })
  const body: unknown = await response.body.json().catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw problem('bad_gateway', { detail: `The ${service} service sent an invalid response; retry shortly`, cause })
  })
  if (response.statusCode > 299) throw problemOf(response.statusCode, body, definition)
  return resultOf(definition, response.statusCode, body)
}

function resultOf(definition: EndpointDefinition, status: number, body: unknown): unknown {
  if (definition.bare !== undefined) return body
  const envelope = body as { data: unknown; pagination?: { next_cursor: string | null }; meta?: unknown } // every other success is enveloped
  if (definition.list !== undefined) {
    const page = { items: envelope.data, nextCursor: envelope.pagination?.next_cursor ?? null }
    return definition.meta === undefined ? page : { ...page, meta: envelope.meta }
  }
  if (definition.deleted !== undefined) return { id: (envelope.data as Record<string, unknown>)[definition.deleted] } // the shape of every deletion
  const declared: SuccessStatus[] = successStatusesOf(definition)
  if (declared.length === 1) return envelope.data
  return { status: declared.find((name) => successStatuses[name] === status), data: envelope.data }
}

const standardMembers = new Set(['success', 'type', 'title', 'status', 'code', 'detail', 'request_id', 'errors'])

/**
 * Turns an error response into a Problem. Errors of the caller and errors that the endpoint declares are passed on
 * unchanged; the caller must not see other errors of the other service, nor of this one towards it.
 */
function problemOf(status: number, response: unknown, definition: EndpointDefinition): Problem {
  const service = serviceOf(definition)
  const body = (typeof response === 'object' && response !== null ? response : {}) as Record<string, unknown> // narrowed to an object on the same line
  const code = errorCodes.find((known) => known === body.code)
  const isOfService = status >= 500 || status === 401 || code === 'caller_not_allowed'
  if (code === undefined || (isOfService && definition.errors?.includes(code) !== true))
    return problem(status === 503 ? 'service_unavailable' : 'bad_gateway', {
      detail: unavailable(service),
      cause: { status, response },
    })
  return problem(code, {
    detail: String(body.detail),
    errors: Array.isArray(body.errors) ? body.errors : [],
    extra: Object.fromEntries(Object.entries(body).filter(([name]) => !standardMembers.has(name))),
  })
}

const unavailable = (service: string) => `The ${service} service is unavailable; retry shortly`
