import {
  type CallerEndpoint,
  type DelegableEndpoint,
  type EndpointDefinition,
  type PublicEndpoint,
  type RequestCaller,
  type RequestOf,
  type ResultOf,
  type SystemEndpoint,
  serviceOf,
} from '@wp/contracts'
import { type Tracing, withSpan } from '@wp/runtime'
import { Agent } from 'undici'
import type { Signer, Subject } from '../assertions/assertion.ts'
import { requireScope } from '../http/request/authorize.ts'
import { requestIdOf, traceparentOf } from '../telemetry/correlation.ts'
import { type InternalRequest, sendInternalRequest } from './internal-request.ts'
import type { Upstreams } from './site-calls.ts'

/**
 * Calls endpoints of other services, with signed assertions. Each call states on whose authority it is made, and throws
 * the Problem the other service responded with, `service_unavailable` if it cannot be reached, or the reason of
 * `options.signal` if it is aborted. docs/decisions/delegated-authority.md says which call is right.
 */
export interface InternalCalls {
  /**
   * Repeats a request of a caller at a public endpoint, which checks everything as if the caller had sent it. The
   * metadata of the request goes with it.
   */
  call<E extends PublicEndpoint>(
    definition: E,
    caller: RequestCaller,
    input: CallInput<E>,
    options?: CallOptions,
  ): Promise<ResultOf<E>>
  /**
   * Calls an internal endpoint on behalf of a caller, who must have its scope: checked before the call, and again by
   * the other service. The idempotency key of the caller's request stays with that request.
   * @throws Problem `missing_scope`
   */
  callForCaller<E extends CallerEndpoint>(
    caller: RequestCaller,
    scope: E['scope'],
    definition: E,
    input: CallInput<E>,
    options?: CallOptions,
  ): Promise<ResultOf<E>>
  /** Calls an internal endpoint on the service's own behalf, for a use that its author has delegated. */
  callDelegated<E extends DelegableEndpoint>(
    delegation: E['delegations'][number],
    definition: E,
    context: SystemCallContext,
    input: CallInput<E>,
  ): Promise<ResultOf<E>>
  /** Calls an internal endpoint on the service's own behalf, without a caller and without scopes. */
  callAsSystem<E extends SystemEndpoint>(
    definition: E,
    context: SystemCallContext,
    input: CallInput<E>,
  ): Promise<ResultOf<E>>
  /** Closes the connections that are kept open. */
  close(): Promise<void>
}

/** The parts of a request. One without a required member may be left out. */
export type CallInput<E extends EndpointDefinition> = {
  [Part in keyof RequestOf<E> as IsOptionalPart<RequestOf<E>[Part]> extends true ? never : Part]: RequestOf<E>[Part]
} & {
  [Part in keyof RequestOf<E> as IsOptionalPart<RequestOf<E>[Part]> extends true ? Part : never]?: RequestOf<E>[Part]
}
type IsOptionalPart<Part> = Part extends undefined ? true : Record<never, never> extends Part ? true : false

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call; a `cancellable` endpoint then stops its work. */
  signal?: AbortSignal
}

/** The workspace and trace of a call on a service's own behalf. A caller is none: their authority would be lost. */
export interface SystemCallContext {
  principal?: never
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

/** Adds the parts that were left out. */
const toRequest = (input: object): RequestOf<EndpointDefinition> => ({
  params: {},
  query: {},
  body: undefined,
  ...input,
})
type Call = Omit<InternalRequest, 'address' | 'assertion'>

/** Creates the client. Longer than most functions: all kinds of calls share one dispatcher and one way to send. */
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
    // services keep a connection far longer, so that they never close one that a request is sent on
    keepAliveMaxTimeout: 60_000,
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

  async function sendAsCaller<E extends EndpointDefinition>(
    definition: E,
    caller: RequestCaller,
    input: CallInput<E>,
    { signal }: CallOptions = {},
  ): Promise<ResultOf<E>> {
    const { subject, headers, traceparent } = callerContext(caller)
    const cancellation = signal === undefined ? {} : { signal }
    const outgoing = { definition, headers, input: toRequest(input), ...cancellation }
    const result = await send(outgoing, subject, traceparent)
    return result as ResultOf<E> // the other service parsed it by the same contract
  }

  async function sendAsService<E extends EndpointDefinition>(
    definition: E,
    context: SystemCallContext,
    input: CallInput<E>,
  ): Promise<ResultOf<E>> {
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
    const outgoing = { definition, headers, input: toRequest(input) }
    const result = await send(outgoing, subject, context.traceparent)
    return result as ResultOf<E> // as above
  }

  return {
    call: sendAsCaller,
    async callForCaller(caller, scope, definition, input, options) {
      requireScope(caller, scope)
      return sendAsCaller(definition, withoutIdempotency(caller), input, options)
    },
    // The name of the use is for the reader and the compiler: the other service derives it from who calls.
    callDelegated: (_delegation, definition, context, input) => sendAsService(definition, context, input),
    callAsSystem: sendAsService,
    close: () => dispatcher.close(),
  }
}

function withoutIdempotency({ request: metadata, ...caller }: RequestCaller): RequestCaller {
  if (metadata === undefined) return caller
  const { idempotency: _idempotency, ...rest } = metadata
  return { ...caller, request: rest }
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
