import { ApiError } from './errors.ts'
import type { OutgoingRequest } from './request.ts'
import { type AttemptResult, computeRetryDelayMs, isRetryable } from './retry.ts'

export interface SendOptions {
  signal: AbortSignal | undefined
  /** Time limit of one attempt; undefined for none. */
  timeoutMs: number | undefined
  maxRetries: number
}

/** A response with a 2xx status. */
export interface SuccessResponse {
  status: number
  body: unknown
}

/**
 * Sends a request and retries it if that is safe and may succeed.
 * @throws ApiError for an error response; the error of `fetch` if there is no response; the reason of the signal
 */
export async function send(
  request: OutgoingRequest,
  authHeaders: Record<string, string>,
  { signal, timeoutMs, maxRetries }: SendOptions,
): Promise<SuccessResponse> {
  for (let attempt = 0; ; attempt += 1) {
    const limits = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)]
    const result = await sendOnce(request, authHeaders, limits)
    if ('response' in result && result.response.ok) return { status: result.response.status, body: result.body }
    signal?.throwIfAborted()
    const mayRepeat = request.isRepeatable && attempt < maxRetries && isRetryable(result)
    if (mayRepeat) await pause(computeRetryDelayMs(attempt, result, Math.random()), signal)
    else if ('error' in result) throw result.error
    else throw new ApiError(result.response, result.body)
  }
}

async function sendOnce(
  { url, method, headers, body }: OutgoingRequest,
  authHeaders: Record<string, string>,
  limits: (AbortSignal | undefined)[],
): Promise<AttemptResult> {
  const init = {
    method,
    headers: new Headers({ ...authHeaders, ...headers }), // throws here if one is invalid: not a failure of the network
    signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
    redirect: 'error' as const,
    ...(body === undefined ? {} : { body, duplex: 'half' as const }),
  }
  try {
    const response = await fetch(url, init)
    return { response, body: parseJson(await response.text()) }
  } catch (error) {
    return { error }
  }
}

/** Responses of the platform are JSON; a proxy in front of it may send something else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws the reason of the signal as soon as it is aborted */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await rejectOnAbort(elapsed, signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the result of the work, which is not cancelled. @throws the reason of the signal as soon as it is aborted */
export async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
