import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from './errors.ts'
import type { OutgoingRequest } from './request.ts'
import { type AttemptResult, computeRetryDelayMs, isRetryable } from './retry.ts'

export interface SendOptions {
  signal: AbortSignal | undefined
  /** For one attempt; undefined: no limit. */
  timeoutMs: number | undefined
  maxRetries: number
}

/** An answer that is a success. */
export interface SuccessResponse {
  status: number
  body: unknown
}

/**
 * Sends a request, again where that may help.
 * @throws ApiError for an answer that is an error; what `fetch` throws where there was none; the signal's reason
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
    headers: { ...authHeaders, ...headers },
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

/** Every answer of the platform is JSON; what stands before it may answer with something else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws the signal's reason, at once, when it is aborted */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    throw signal?.reason ?? error
  })
}

/** Stops waiting, not what is waited for, when the signal is aborted. @throws its reason */
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
