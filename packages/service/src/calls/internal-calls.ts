import { type EndpointDefinition, type RequestCaller, type RequestOf, type ResultOf, serviceOf } from '@wp/contracts'
import { type Tracing, withSpan } from '@wp/runtime'
import { Agent } from 'undici'
import type { Signer, Subject } from '../assertions/assertion.ts'
import { requestIdOf, traceparentOf } from '../telemetry/correlation.ts'
import { type InternalRequest, sendInternalRequest } from './internal-request.ts'
import type { Upstreams } from './upstreams.ts'

/** Calls endpoints of other services, with signed assertions. */
export interface InternalCalls {
  /**
   * Calls an endpoint on behalf of a caller, with their workspace and scopes.
   * @throws the Problem the other service responded with; `service_unavailable` if it cannot be reached; the reason of
   *   `options.signal` if it is aborted
   */
  call<E extends EndpointDefinition>(
    definition: E,
    caller: RequestCaller,
    input: RequestOf<E>,
    options?: CallOptions,
  ): Promise<ResultOf<E>>
  /** Calls an endpoint on the service's own behalf, without a caller and without scopes. */
  callAsSystem<E extends EndpointDefinition>(
    definition: E,
    context: SystemCallContext,
    input: RequestOf<E>,
  ): Promise<ResultOf<E>>
  /** Closes the connections that are kept open. */
  close(): Promise<void>
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call; a `cancellable` endpoint then stops its work. */
  signal?: AbortSignal
}

/** The workspace and trace of a call on a service's own behalf. */
export interface SystemCallContext {
  workspaceId: string | null
  /** Shard of the workspace; default: that of the service. */
  shard?: string
  requestId?: string
  traceparent?: string
}

interface Options {
  signer: Signer
  upstreams: Upstreams
  shard: string
  location: string
  /** Limit of each phase of a call, default 10,000. */
  timeoutMs?: number
  tracing?: Tracing | undefined
}

type AnyRequest = RequestOf<EndpointDefinition>
type Call = Omit<InternalRequest, 'address' | 'assertion'>

export function createInternalCalls({
  signer,
  upstreams,
  shard,
  location,
  timeoutMs = 10_000,
  tracing,
}: Options): InternalCalls {
  // undici without fetch: a request costs a third, and the edge resolves credentials on the path of every request
  const dispatcher = new Agent({
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 30_000,
  })

  async function send(call: Call, subject: Subject, traceparent: string | undefined): Promise<unknown> {
    const service = serviceOf(call.definition)
    const address = upstreams.addressOf(service, subject.shard)
    const assertion = await signer.sign(subject, service)
    const span = tracing?.startSpan(`call ${call.definition.id}`, {
      kind: 'client',
      parent: traceparent,
      attributes: { 'server.address': service, 'http.route': call.definition.path },
    })
    const headers = { ...call.headers, traceparent: span?.traceparent ?? traceparentOf(traceparent) }
    return withSpan(span, () => sendInternalRequest({ ...call, headers, address, assertion }, dispatcher))
  }

  return {
    async call(definition, caller, input, { signal } = {}) {
      const { subject, headers, traceparent } = callerContext(caller)
      const cancellation = signal === undefined ? {} : { signal }
      const outgoing = { definition, headers, input: input as AnyRequest, ...cancellation }
      const result = await send(outgoing, subject, traceparent)
      return result as ResultOf<typeof definition> // the other service parsed it by the same contract
    },
    async callAsSystem(definition, context, input) {
      const id = `svc:${signer.issuer}`
      const subject: Subject = {
        principal: { id, type: 'service' },
        credentialId: id,
        workspaceId: context.workspaceId,
        shard: context.shard ?? shard,
        location,
        scopes: [],
      }
      const headers = { 'x-request-id': requestIdOf(context.requestId) }
      const outgoing = { definition, headers, input: input as AnyRequest }
      const result = await send(outgoing, subject, context.traceparent)
      return result as ResultOf<typeof definition> // as above
    },
    close: () => dispatcher.close(),
  }
}

/** Separates a caller into the subject of the assertion and the headers that carry the request's metadata. */
function callerContext(caller: RequestCaller) {
  const { requestId, traceparent, request: metadata, ...subject } = caller
  const headers = {
    'x-request-id': requestId,
    ...(metadata?.idempotency === undefined ? {} : { 'idempotency-key': metadata.idempotency.key }),
    ...(metadata?.ip === undefined ? {} : { 'x-forwarded-for': metadata.ip }),
    ...(metadata?.userAgent === undefined ? {} : { 'user-agent': metadata.userAgent }),
  }
  return { subject, headers, traceparent }
}
