import {
  type EndpointDefinition,
  errorCodes,
  IdempotentReplay,
  type Problem,
  problem,
  type RequestCaller,
  type RequestOf,
  type ResultOf,
  serializeQuery,
  serviceOf,
  successStatusesOf,
} from '@wp/contracts'
import { Agent, request } from 'undici'
import { assertionHeader, type Signer, type Subject } from '../assertions/assertion.ts'
import { requestIdOf, traceparentOf } from '../telemetry/correlation.ts'
import type { Upstreams } from './upstreams.ts'

/** Calls endpoints of other services, signed. */
export interface InternalCalls {
  /**
   * Calls for a caller: their subject, workspace and scopes, never more.
   * @throws the Problem the other service answered with; `service_unavailable` when it cannot be reached
   */
  call<E extends EndpointDefinition>(definition: E, caller: RequestCaller, input: RequestOf<E>): Promise<ResultOf<E>>
  /**
   * As `call`, for an operation that passes the answer on as its own: one that was kept for the idempotency key is
   * thrown, so that the router says that it is, and `If-Match` is for the other service to hold, which makes the change.
   * @throws IdempotentReplay beside what `call` throws
   */
  forward<E extends EndpointDefinition>(definition: E, caller: RequestCaller, input: RequestOf<E>): Promise<ResultOf<E>>
  /** Calls without a caller (schedules, resolve): no scopes, the workspace of the row. */
  callAsSystem<E extends EndpointDefinition>(
    definition: E,
    about: SystemCallContext,
    input: RequestOf<E>,
  ): Promise<ResultOf<E>>
  /** Ends the connections that are kept open. */
  close(): Promise<void>
}

/** For which workspace, and in whose trace, a service acts of its own accord. */
export interface SystemCallContext {
  workspaceId: string | null
  /** Where the workspace lives; default where the service is. */
  shard?: string
  requestId?: string
  traceparent?: string
}

interface Options {
  signer: Signer
  upstreams: Upstreams
  shard: string
  location: string
  timeoutMs?: number
}

/** @param options.timeoutMs for one call, default 10,000 */
export function createInternalCalls(options: Options): InternalCalls {
  const { signer, upstreams, shard, location, timeoutMs = 10_000 } = options
  // undici itself: its request costs a third of what fetch does, and resolve is on the way of every request
  const dispatcher = new Agent({
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 30_000,
  })

  async function send(
    definition: EndpointDefinition,
    subject: Subject,
    correlation: Correlation,
    input: RequestOf<EndpointDefinition>,
  ) {
    const service = serviceOf(definition)
    const address = new URL(upstreams.addressOf(service, subject.shard) + fillPath(definition.path, input.params))
    address.search = serializeQuery(input.query).toString()
    const hasBody = input.body !== undefined && definition.method !== 'GET'
    const response = await request(address, {
      dispatcher,
      method: definition.method,
      headers: {
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...correlation,
        [assertionHeader]: await signer.sign(subject, service),
      },
      body: hasBody ? JSON.stringify(input.body) : null,
    }).catch((cause: unknown) => {
      throw problem('service_unavailable', { detail: `The ${service} service is not available`, cause })
    })
    const answer: unknown = await response.body.json().catch((cause: unknown) => {
      throw problem('bad_gateway', { detail: `The ${service} service gave no usable answer`, cause })
    })
    const { statusCode: status, headers } = response
    if (status > 299) throw asProblem(status, answer, service)
    return { result: resultOf(definition, status, answer), isReplay: headers['idempotency-replayed'] === 'true' }
  }

  function sendFor(
    definition: EndpointDefinition,
    caller: RequestCaller,
    input: RequestOf<EndpointDefinition>,
    headers: Record<string, string> = {},
  ) {
    const { requestId, traceparent, request: facts, ...subject } = caller
    const correlation = {
      ...headers,
      'x-request-id': requestId,
      traceparent: traceparentOf(traceparent),
      ...(facts?.idempotency === undefined ? {} : { 'idempotency-key': facts.idempotency.key }),
      ...(facts?.ip === undefined ? {} : { 'x-forwarded-for': facts.ip }),
      ...(facts?.userAgent === undefined ? {} : { 'user-agent': facts.userAgent }),
    }
    return send(definition, subject, correlation, input)
  }

  return {
    async call(definition, caller, input) {
      const { result } = await sendFor(definition, caller, input as RequestOf<EndpointDefinition>)
      return result as ResultOf<typeof definition> // the other side parsed it against the same contract
    },
    async forward(definition, caller, input) {
      const { precondition } = caller.request ?? {}
      const headers: Record<string, string> = precondition === undefined ? {} : { 'if-match': precondition.ifMatch }
      const { result, isReplay } = await sendFor(definition, caller, input as RequestOf<EndpointDefinition>, headers)
      if (isReplay) throw new IdempotentReplay(result)
      return result as ResultOf<typeof definition> // as above
    },
    close: () => dispatcher.close(),
    async callAsSystem(definition, about, input) {
      const subject: Subject = {
        principal: { id: `svc:${signer.issuer}`, type: 'service' },
        credentialId: `svc:${signer.issuer}`,
        workspaceId: about.workspaceId,
        shard: about.shard ?? shard,
        location,
        scopes: [],
      }
      const correlation = {
        'x-request-id': requestIdOf(about.requestId),
        traceparent: traceparentOf(about.traceparent),
      }
      const { result } = await send(definition, subject, correlation, input as RequestOf<EndpointDefinition>)
      return result as ResultOf<typeof definition> // as above
    },
  }
}

type Correlation = Record<string, string>

const fillPath = (path: string, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

function resultOf(definition: EndpointDefinition, status: number, answer: unknown): unknown {
  if (definition.bare !== undefined) return answer
  const envelope = answer as { data: unknown; pagination?: { next_cursor: string | null } } // every other success is enveloped
  if (definition.list !== undefined)
    return { items: envelope.data, nextCursor: envelope.pagination?.next_cursor ?? null }
  if (definition.deleted !== undefined) return { id: (envelope.data as Record<string, unknown>)[definition.deleted] } // shape of every deletion
  if (successStatusesOf(definition).length === 1) return envelope.data
  return { outcome: status === 200 ? 'ok' : status === 201 ? 'created' : 'accepted', data: envelope.data }
}

const standardMembers = new Set(['success', 'type', 'title', 'status', 'code', 'detail', 'request_id', 'errors'])

/** What the caller caused is passed on as it is; what the other service or we caused is not the caller's to see. */
function asProblem(status: number, answer: unknown, service: string): Problem {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown> // narrowed to an object on the same line
  const code = errorCodes.find((known) => known === body.code)
  if (code === undefined || status >= 500 || status === 401 || code === 'caller_not_allowed')
    return problem(status === 503 ? 'service_unavailable' : 'bad_gateway', {
      detail: `The ${service} service is not available`,
      cause: { status, answer },
    })
  return problem(code, {
    detail: String(body.detail),
    errors: Array.isArray(body.errors) ? body.errors : [],
    extra: Object.fromEntries(Object.entries(body).filter(([name]) => !standardMembers.has(name))),
  })
}
