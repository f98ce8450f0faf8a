import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from './errors.ts'
import type { OutgoingRequest } from './request.ts'
import { type AttemptOutcome, isRetryable, retryDelayMs } from './retry.ts'

export interface SendOptions {
  signal: AbortSignal | undefined
  /** For one attempt; undefined: no limit. */
  timeoutMs: number | undefined
  maxRetries: number
}

/** An answer that is a success. */
export interface Answer {
  status: number
  body: unknown
}

/**
 * Sends a request, again where that may help.
 * @throws ApiError for an answer that is an error; what `fetch` throws where there was none; the signal's reason
 */
export async function send(
  request: OutgoingRequest,
  identity: Record<string, string>,
  { signal, timeoutMs, maxRetries }: SendOptions,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const limits = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)]
    const outcome = await once(request, identity, limits)
    if ('response' in outcome && outcome.response.ok) return { status: outcome.response.status, body: outcome.body }
    signal?.throwIfAborted()
    const mayRepeat = request.isRepeatable && attempt < maxRetries && isRetryable(outcome)
    if (mayRepeat) await pause(retryDelayMs(attempt, outcome, Math.random()), signal)
    else if ('error' in outcome) throw outcome.error
    else throw new ApiError(outcome.response, outcome.body)
  }
}

async function once(
  { url, method, headers, body }: OutgoingRequest,
  identity: Record<string, string>,
  limits: (AbortSignal | undefined)[],
): Promise<AttemptOutcome> {
  const init = {
    method,
    headers: { ...identity, ...headers },
    signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
    redirect: 'error' as const,
    ...(body === undefined ? {} : { body, duplex: 'half' as const }),
  }
  try {
    const response = await fetch(url, init)
    return { response, body: parsed(await response.text()) }
  } catch (error) {
    return { error }
  }
}

/** Every answer of the platform is JSON; what stands before it may answer with something else. */
function parsed(text: string): unknown {
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
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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
