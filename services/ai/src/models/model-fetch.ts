import { JobFailure } from '@wp/jobs'
import { OutboundError, parseRetryAfterMs } from '@wp/outbound'
import { backoffMs, errorCode, type pause as Pause } from '@wp/runtime'
import {
  isTemporaryStatus,
  modelRejected,
  modelUnavailable,
  quotaFailure,
  responseFailure,
  statusFailure,
} from './model-failure.ts'
import { readError } from './read-error.ts'
import { adaptRequest } from './repair/adapt-request.ts'
import { eventsOf, repairResponse } from './repair/repair-response.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

export interface ModelFetchOptions {
  /** Names the provider at the beginning of messages. */
  name: string
  transport: Transport
  /** Removed from the messages of the provider that are shown. */
  secret: string | undefined
  /** Called with the status of each response, undefined if there was none. */
  onResponse?: (status: number | undefined, message: string) => void
  /** Waits between two requests. Omitted: none is repeated. */
  pause?: typeof Pause
  /** Milliseconds since 1970. */
  now: () => number
}

/** Requests that fail temporarily before there is a response are repeated, at most this often in all. */
const maxAttempts = 3
const backoff = { firstMs: 500, maxMs: 5_000 }
/** A provider that asks for a longer pause is unavailable: the run would wait in vain. */
const maxPauseMs = 30_000

/**
 * Creates a `fetch` for the AI SDK. Only a request without a successful response is repeated, so that no token is sent
 * twice; a pause that the provider asks for (Retry-After) is kept.
 *
 * Every failure is a JobFailure `model_unavailable` or `model_rejected`, also one while the body is read. An abort
 * rejects with the reason of the signal.
 */
export function createModelFetch(options: ModelFetchOptions): typeof fetch {
  const { pause } = options
  return async (input, init) => {
    let request = toTransportRequest(input, init)
    for (let attempt = 1; ; attempt += 1) {
      const result = await tryOnce(options, request)
      if (result.response !== undefined) return result.response
      const adapted = result.refusal === undefined ? undefined : adaptRequest(request.body, result.refusal)
      if (adapted !== undefined && attempt < maxAttempts) {
        request = { ...request, body: adapted }
        continue
      }
      const waitMs = result.retryAfterMs ?? backoffMs(attempt, backoff, Math.random())
      if (!result.isTemporary || attempt === maxAttempts || waitMs > maxPauseMs || pause === undefined)
        throw result.failure
      await pause(waitMs, request.signal)
      request.signal?.throwIfAborted()
    }
  }
}

/** The SDK sends JSON with plain headers. */
function toTransportRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): TransportRequest {
  const { body, method, headers, signal } = init
  if (typeof body !== 'string' && body !== undefined && body !== null)
    throw new Error('unsupported request body: a model is sent JSON only')
  return {
    url: input instanceof Request ? input.url : String(input),
    method: method === 'POST' ? 'POST' : 'GET',
    headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'workspace-platform' },
    body: body ?? undefined,
    signal: signal ?? undefined,
  }
}

interface Attempt {
  response?: Response
  failure?: JobFailure
  isTemporary?: boolean
  retryAfterMs?: number | undefined
  /** The message with which the provider refused the request. */
  refusal?: string | undefined
}

async function tryOnce(options: ModelFetchOptions, request: TransportRequest): Promise<Attempt> {
  const { name, transport, onResponse, now } = options
  let received: TransportResponse
  try {
    received = await transport(request)
  } catch (error) {
    request.signal?.throwIfAborted()
    const failure = transportFailure(name, error)
    onResponse?.(undefined, failure.message)
    // Without a response it is unknown whether the provider has begun; a model call has no effect but its cost.
    return { failure, isTemporary: failure.error.code === 'model_unavailable' && !isTimeout(error) }
  }
  const { status, headers } = received
  if (status >= 200 && status < 300) {
    onResponse?.(status, '')
    return { response: toResponse(options, received, request) }
  }
  const { message, isOutOfQuota } = await readError(received, options.secret)
  const failure = isOutOfQuota ? quotaFailure(name, status, message) : statusFailure(name, status, message)
  onResponse?.(status, failure.message)
  const retryAfterMs = readRetryAfterMs(headers, now())
  const refusal = status === 400 || status === 422 ? message : undefined
  return { failure, isTemporary: isTemporaryStatus(status) && !isOutOfQuota, retryAfterMs, refusal }
}

function toResponse({ name, secret }: ModelFetchOptions, received: TransportResponse, request: TransportRequest) {
  const isStream = /^text\/event-stream\b/i.test(received.headers['content-type'] ?? '')
  const isWhole = /\bjson\b/i.test(received.headers['content-type'] ?? '') && isStreamRequested(request.body)
  async function* read() {
    try {
      if (isWhole) yield Buffer.from(eventsOf(await readAll(received.body), secret, reject))
      else yield* repairResponse(received.body, isStream, secret)
    } catch (error) {
      request.signal?.throwIfAborted()
      throw transportFailure(name, error)
    }
  }
  const reject = (message: string): never => {
    throw responseFailure(name, { message })
  }
  return new Response(ReadableStream.from(read()), { status: received.status, headers: received.headers })
}

const isStreamRequested = (body: string | undefined): boolean => body?.includes('"stream":true') === true

/** The transport limits the size. */
async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])

const isTimeout = (error: unknown): boolean =>
  error instanceof OutboundError ? error.kind === 'timeout' : timeoutCodes.has(causeCode(error) ?? '')

/** Returns the failure of a request without a response, or of a response that broke off. */
function transportFailure(name: string, error: unknown): JobFailure {
  if (error instanceof JobFailure) return error
  if (error instanceof OutboundError)
    return error.isAddressRejected
      ? modelRejected(`${name} cannot be called: ${error.message}`, error)
      : modelUnavailable(`${name} cannot be reached, or stopped answering: ${error.message}`, error)
  // Addresses and names of the operator's network are for the log.
  const reason = isTimeout(error) ? 'the response stalled' : 'the connection failed or was closed'
  return modelUnavailable(`${name} cannot be reached, or stopped answering: ${reason}`, error)
}

/** undici reports a failed request as a TypeError with the reason as its cause. */
const causeCode = (error: unknown): string | undefined =>
  errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : undefined)

/** Returns the pause in milliseconds of `retry-after-ms`, as OpenAI and Azure send it, or of Retry-After. */
function readRetryAfterMs(headers: TransportResponse['headers'], nowMs: number): number | undefined {
  const { 'retry-after-ms': exact, 'retry-after': value } = headers
  if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Number(exact)
  return parseRetryAfterMs(value, nowMs)
}
