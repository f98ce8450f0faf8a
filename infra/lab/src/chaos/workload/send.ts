import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosWorkspace } from './chaos-workspace.ts'

/** A response of the platform. */
export interface Response {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the load reads responses of every shape
  body: any
  location: string | null
}

const responseTimeoutMs = 8_000
const retryPauseMs = 200
const retryPeriodMs = 40_000

/** Sends a request once, and counts it. Returns undefined if there is no complete response in time. */
export async function send(
  workspace: ChaosWorkspace,
  method: 'GET' | 'POST',
  path: string,
  options: { body?: object; idempotencyKey?: string } = {},
): Promise<Response | undefined> {
  const response = await tryToSend(workspace, method, path, options)
  workspace.requests.sent += 1
  if (response === undefined || response.status >= 500) workspace.requests.failed += 1
  return response
}

async function tryToSend(
  { baseUrl, token }: ChaosWorkspace,
  method: 'GET' | 'POST',
  path: string,
  { body, idempotencyKey }: { body?: object; idempotencyKey?: string },
): Promise<Response | undefined> {
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    return { status: response.status, body: await response.json(), location: response.headers.get('location') }
  } catch {
    return undefined
  }
}

/** The end of a request that was repeated until it was certain. */
export interface CertainResult {
  type: 'ok' | 'fail' | 'unknown'
  attempts: number
  response?: Response
}

/**
 * Sends a creation, and repeats it with the same idempotency key until its result is certain. After a lost or failed
 * response the request may have taken effect, so that a later refusal proves nothing: the result remains unknown.
 */
export async function sendUntilCertain(
  workspace: ChaosWorkspace,
  path: string,
  body: object,
  idempotencyKey: string,
): Promise<CertainResult> {
  const deadline = performance.now() + retryPeriodMs
  let mayHaveTakenEffect = false
  for (let attempts = 1; ; attempts += 1) {
    const response = await send(workspace, 'POST', path, { body, idempotencyKey })
    if (response !== undefined && hasTakenEffect(response)) return { type: 'ok', attempts, response }
    const isRefused = response !== undefined && response.status < 500 && ![409, 429].includes(response.status)
    if (isRefused && !mayHaveTakenEffect) return { type: 'fail', attempts, response }
    if (!isRefused) mayHaveTakenEffect = true
    if (performance.now() > deadline) return { type: 'unknown', attempts }
    await pause(retryPauseMs)
  }
}

/** A response that holds a secret is not repeated, but its repetition says that the request has taken effect. */
const hasTakenEffect = ({ status, body }: Response): boolean => status < 300 || body?.code === 'secret_not_replayable'
