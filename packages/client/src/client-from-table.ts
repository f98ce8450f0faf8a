import { type CompletedCall, createCall, createListCall, type ListPage } from './call.ts'
import type { Client } from './contracts/client-type.ts'
import type { EndpointEntry, EndpointTable } from './endpoint-table.ts'
import { followEvents, type StreamPosition } from './follow-events.ts'
import { buildRequest, type CallOptions, type EndpointInput, type OutgoingRequest } from './request.ts'
import { type Credential, createCredentialSource, type TokenResponse } from './transport/credentials.ts'
import { ApiError } from './transport/errors.ts'
import { readResult } from './transport/result.ts'
import { openResponse, type SendOptions, send } from './transport/send.ts'
import { rejectOnAbort } from './transport/wait.ts'

export interface ClientOptions {
  /** Address of the platform, `https://…`; with the path of a proxy in front of it, if there is one. */
  baseUrl: string
  credential: Credential
  /** Sent as `x-workspace-key`. Required if the credential does not name a workspace. */
  workspaceId?: string
  /** Headers of every request. Those of a call replace them. */
  headers?: Readonly<Record<string, string>>
  /** Time limit of one attempt, default 30,000; 300,000 for runs of agents, chat and the like. Uploads have none. */
  timeoutMs?: number
  /** Retries after a failed connection, 408, 409 `idempotency_in_flight`, 429 and 5xx, default 2. */
  maxRetries?: number
  /** Longest time without a byte of an event stream, after which it is opened again. Default 60,000. */
  streamIdleTimeoutMs?: number
  /** Sends requests, default the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

const defaultTimeoutMs = 30_000
/** The platform answers a request that waits for a run within four minutes. */
const longTimeoutMs = 300_000

/**
 * Creates a client of the endpoints of a table, as `createClient` does of the contracts. Runs in browsers. The type of
 * the client is that of all public endpoints: a method that is not in the table is undefined.
 */
export function createClientFromTable(options: ClientOptions, table: EndpointTable): Client {
  const call = createCaller(options, table)
  const client: Record<string, Record<string, unknown>> = {}
  for (const endpoint of table) {
    const [surface = '', verb = ''] = endpoint.id.split('.')
    client[surface] ??= {}
    client[surface][verb] = createMethod(endpoint, call)
  }
  return client as unknown as Client // the table is made from the contracts that define the type
}

type Caller = ReturnType<typeof createCaller>

function createMethod(endpoint: EndpointEntry, call: Caller): unknown {
  const { kind } = endpoint.result
  if (kind === 'events') return (...input: CallArguments) => call.stream(endpoint, ...input)
  if (kind === 'file') return (...input: CallArguments) => call.open(endpoint, ...input)
  if (kind === 'page')
    return (...[input = {}, options]: CallArguments) => {
      const list = (at: EndpointInput) =>
        call.complete(endpoint, at, options) as Promise<CompletedCall<ListPage<unknown>>> // the result of a page
      return createListCall(list(input), async (cursor) => (await list(withCursor(input, cursor))).data)
    }
  const method = (...input: CallArguments) => createCall(call.complete(endpoint, ...input))
  if (endpoint.eventsPath === undefined) return method
  return Object.assign(method, { stream: (...input: CallArguments) => call.stream(endpoint, ...input) })
}

/** Adds the cursor of the next page: to the body of a list that is requested with one, such as a search. */
const withCursor = (input: EndpointInput, cursor: string): EndpointInput =>
  typeof input.body === 'object'
    ? { ...input, body: { ...input.body, cursor } }
    : { ...input, query: { ...input.query, cursor } }

type CallArguments = [input?: EndpointInput, options?: CallOptions]

/**
 * Returns the three ways to call an endpoint: with a result, with the response itself, and with events. Longer than
 * most functions: the three share credentials, address and limits.
 */
function createCaller(options: ClientOptions, table: EndpointTable) {
  const baseUrl = readBaseUrl(options.baseUrl)
  const workspace = options.workspaceId === undefined ? {} : { 'x-workspace-key': options.workspaceId }
  const limitsOf = createLimits(options)
  const build = (endpoint: EndpointEntry, input: EndpointInput, { headers, ...call }: CallOptions) =>
    buildRequest(baseUrl, endpoint, input, { ...call, headers: { ...options.headers, ...headers } })
  const credentials = createCredentialSource(options.credential, async (body) => {
    const endpoint = findEntry(table, 'auth.exchangeToken')
    const { body: token } = await send(build(endpoint, { body }, {}), {}, limitsOf(endpoint, {}))
    return token as TokenResponse // declared by the contract
  })

  /** Renews a rejected credential and repeats the request once. */
  async function authorize<T>(
    endpoint: EndpointEntry,
    request: OutgoingRequest,
    limits: SendOptions,
    perform: (request: OutgoingRequest, authHeaders: Record<string, string>, limits: SendOptions) => Promise<T>,
  ): Promise<T> {
    if (endpoint.credentials === 'none') return perform(request, {}, limits)
    const authHeaders = await rejectOnAbort(credentials.headers(), limits.signal)
    try {
      return await perform(request, { ...workspace, ...authHeaders }, limits)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      const renewedHeaders = await rejectOnAbort(credentials.renew(authHeaders), limits.signal)
      if (renewedHeaders === undefined || !request.isRepeatable) throw error
      return perform(request, { ...workspace, ...renewedHeaders }, limits)
    }
  }

  const open = async (endpoint: EndpointEntry, input: EndpointInput = {}, call: CallOptions = {}) =>
    authorize(endpoint, build(endpoint, input, call), limitsOf(endpoint, call), openResponse)

  return {
    open,
    async complete(endpoint: EndpointEntry, input: EndpointInput = {}, call: CallOptions = {}) {
      const response = await authorize(endpoint, build(endpoint, input, call), limitsOf(endpoint, call), send)
      return { data: readResult(endpoint, response), response }
    },
    stream(endpoint: EndpointEntry, input: EndpointInput = {}, call: CallOptions = {}) {
      const { eventsPath, result } = endpoint
      // A request that is sent again under its key is answered with the run that it has started.
      const idempotencyKey = eventsPath !== undefined && { idempotencyKey: call.idempotencyKey ?? crypto.randomUUID() }
      return followEvents({
        open: ({ runId, lastEventId }: StreamPosition) => {
          const headers = {
            ...call.headers,
            accept: 'text/event-stream',
            ...(lastEventId && { 'last-event-id': lastEventId }),
          }
          if (eventsPath !== undefined && runId !== undefined)
            return open(eventsEntry(eventsPath), { params: { id: runId } }, { ...call, headers })
          return open(endpoint, input, { ...call, ...(idempotencyKey || {}), headers })
        },
        isRun: eventsPath !== undefined || (result.kind === 'events' && result.isRun === true),
        signal: call.signal,
        idleTimeoutMs: options.streamIdleTimeoutMs ?? 60_000,
      })
    },
  }
}

const eventsEntry = (path: string): EndpointEntry => ({ id: 'events', method: 'GET', path, result: { kind: 'events' } })

/** @throws TypeError if it is not an address of a server */
function readBaseUrl(baseUrl: string): string {
  if (!/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl: must begin with https:// or http://, not ${baseUrl}`)
  return baseUrl.replace(/\/+$/, '')
}

const createLimits =
  ({ maxRetries = 2, timeoutMs, fetch = globalThis.fetch }: ClientOptions) =>
  ({ input, isLong }: EndpointEntry, call: CallOptions): SendOptions => ({
    fetch,
    signal: call.signal,
    timeoutMs:
      call.timeoutMs ?? (input === 'stream' ? undefined : (timeoutMs ?? (isLong ? longTimeoutMs : defaultTimeoutMs))),
    maxRetries: call.maxRetries ?? maxRetries,
  })

function findEntry(table: EndpointTable, id: string): EndpointEntry {
  const entry = table.find((candidate) => candidate.id === id)
  if (entry === undefined) throw new Error(`the endpoint table has no ${id}`)
  return entry
}
