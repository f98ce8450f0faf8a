import type { RawResponse } from '../call.ts'
import type { ErrorCode } from '../contracts/types.ts'
import type { OutgoingRequest } from '../request.ts'
import { ApiError, createNetworkError, InvalidResponseError } from './errors.ts'
import type { ErrorClass } from './problem-errors.ts'
import * as problemErrors from './problem-errors.ts'
import { type AttemptResult, computeRetryDelayMs, isRetryable } from './retry.ts'
import { pause } from './wait.ts'

export interface SendOptions {
  fetch: typeof globalThis.fetch
  signal: AbortSignal | undefined
  /** Time limit of one attempt; undefined for none. */
  timeoutMs: number | undefined
  maxRetries: number
}

/** A larger response is not read: no endpoint that is read as a whole has one. */
const maxResponseBytes = 64 * 1024 * 1024

/**
 * Sends a request, reads the response and retries if that is safe and may succeed.
 * @throws ApiError for an error response; NetworkError if there is no complete response; InvalidResponseError if it is
 * too large; the reason of the signal; a DOMException named TimeoutError
 */
export async function send(
  request: OutgoingRequest,
  authHeaders: Record<string, string>,
  options: SendOptions,
): Promise<RawResponse> {
  const { response, body } = await attemptAndRetry(request, authHeaders, options, true)
  const { status, headers } = response
  return { status, headers, requestId: headers.get('x-request-id') ?? undefined, body }
}

/** Sends a request as `send` does, and returns a success response when its headers have arrived, without reading it. */
export async function openResponse(
  request: OutgoingRequest,
  authHeaders: Record<string, string>,
  options: SendOptions,
): Promise<Response> {
  return (await attemptAndRetry(request, authHeaders, options, false)).response
}

async function attemptAndRetry(
  request: OutgoingRequest,
  authHeaders: Record<string, string>,
  options: SendOptions,
  readsBody: boolean,
): Promise<{ response: Response; body: unknown }> {
  const { signal, maxRetries } = options
  for (let attempt = 0; ; attempt += 1) {
    const result = await sendOnce(request, authHeaders, options, readsBody)
    if ('response' in result && result.response.ok) return result
    signal?.throwIfAborted()
    const mayRepeat = request.isRepeatable && attempt < maxRetries && isRetryable(result)
    if (mayRepeat) await pause(computeRetryDelayMs(attempt, result, Math.random()), signal)
    else if ('error' in result) throw result.error
    else throw createApiError(result.response, result.body)
  }
}

async function sendOnce(
  { url, method, headers, openBody }: OutgoingRequest,
  authHeaders: Record<string, string>,
  { fetch, signal, timeoutMs }: SendOptions,
  readsBody: boolean,
): Promise<AttemptResult> {
  signal?.throwIfAborted()
  const allHeaders = new Headers({ ...authHeaders, ...headers }) // throws here if one is invalid: not a failure of the network
  const timeout = startTimeout(timeoutMs)
  const signals = [signal, timeout.signal].filter((limit) => limit !== undefined)
  const source: { error?: unknown } = {}
  const body = openBody((error) => {
    source.error = error
  })
  try {
    const response = await fetch(url, {
      method,
      headers: allHeaders,
      signal: AbortSignal.any(signals),
      redirect: 'manual',
      ...(body === undefined ? {} : { body, duplex: 'half' as const }),
    })
    if (response.ok && !readsBody) return { response, body: undefined }
    return { response, body: parseJson(await readText(response)) }
  } catch (error) {
    if (signal?.aborted) return { error: signal.reason }
    if (timeout.signal.aborted) return { error: timeout.signal.reason }
    if ('error' in source) return { error: source.error }
    return { error: error instanceof InvalidResponseError ? error : createNetworkError(url, error) }
  } finally {
    timeout.clear()
  }
}

/** Starts a time limit that ends when it is cleared, so that a response can be read without one. */
function startTimeout(timeoutMs: number | undefined): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  if (timeoutMs === undefined) return { signal: controller.signal, clear: () => undefined }
  const reason = () => new DOMException(`no complete response within ${timeoutMs} ms`, 'TimeoutError')
  const timer = setTimeout(() => controller.abort(reason()), timeoutMs)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length
    if (bytes > maxResponseBytes) {
      await reader.cancel()
      throw new InvalidResponseError(`the response is larger than ${maxResponseBytes} bytes`, response)
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}

/** Responses of the platform are JSON; a proxy in front of it may send something else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The name of the class of a code: `NotFoundError` of `not_found`, `InternalError` of `internal_error`. */
type ClassName<Code extends string> = Code extends `${infer Words}_error` ? ClassName<Words> : `${Pascal<Code>}Error`
type Pascal<Code extends string> = Code extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Code>

/** The classes by their names. A missing one is a compile error. */
const classes: { [Code in ErrorCode as ClassName<Code>]: ErrorClass<ClassName<Code>> } = problemErrors

/** Creates the error of an error response: of the class of its code, or an ApiError if the code is unknown. */
function createApiError(response: { status: number; headers: Headers }, problem: unknown): ApiError {
  const error = new ApiError(response, problem)
  const words = error.code.replace(/_error$/, '').split('_')
  const name = `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`
  const known: Partial<Record<string, ErrorClass<string>>> = classes
  const Problem = Object.hasOwn(known, name) ? known[name] : undefined
  return Problem === undefined ? error : new Problem(response, problem)
}
