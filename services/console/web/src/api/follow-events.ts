import { ApiError } from '@wp/client/browser'
import { type EventRecord, readChunks, readServerSentEvents } from '@wp/client/server-sent-events'
import { apiPath, consoleHeaders } from './request-session.ts'

export interface StreamOptions {
  workspaceId: string
  /** Ends the stream: the generator throws its reason. */
  signal: AbortSignal
  /** Reports that a connection was made, or that it was lost and is made again. */
  onConnection?: (state: 'open' | 'lost') => void
  /** Replaced by tests. */
  request?: (path: string, init: RequestInit) => Promise<Response>
  /** Waits before a connection is made again. Replaced by tests. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export interface FollowEventsOptions extends StreamOptions {
  /** A number of 0 to 1. Replaced by tests. */
  random?: () => number
}

const minBackoffMs = 1_000
const maxBackoffMs = 30_000
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Follows a stream of server-sent events without end.
 * @param path path and query of the endpoint, such as `/v1/notifications/events/stream`
 * @throws ApiError if the stream is refused for good; the reason of the signal
 */
export const followEvents = (path: string, options: FollowEventsOptions): AsyncGenerator<EventRecord> =>
  followStream(
    () => ({ path }),
    options,
    (failures, error) =>
      error instanceof ApiError && !retriedStatuses.has(error.status)
        ? undefined
        : backoffMs(failures, (options.random ?? Math.random)()),
  )

/** Between a half and the whole of a pause that doubles: pages that lost the same server do not return together. */
const backoffMs = (failures: number, share: number): number =>
  Math.min(maxBackoffMs, minBackoffMs * 2 ** failures) * (0.5 + share / 2)

/**
 * Iterates over server-sent events. A connection that ends or is lost is made again, with `Last-Event-ID`. An
 * `EventSource` cannot send the header of the console.
 * @param target returns the request of the next connection; with a body it is a POST
 * @param pauseMs returns the pause after failures in a row; undefined to throw the error
 */
export async function* followStream(
  target: () => { path: string; body?: unknown },
  { workspaceId, signal, onConnection, request = (url, init) => fetch(url, init), wait = waitFor }: StreamOptions,
  pauseMs: (failures: number, error: unknown) => number | undefined,
): AsyncGenerator<EventRecord> {
  let lastEventId: string | undefined
  for (let failures = 0; ; failures++) {
    let failure: unknown = new TypeError('the connection was closed')
    try {
      const { path, body } = target()
      const response = await request(apiPath + path, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          ...consoleHeaders,
          'x-workspace-key': workspaceId,
          accept: 'text/event-stream',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
        signal,
      })
      if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
      failures = 0
      onConnection?.('open')
      for await (const event of readServerSentEvents(readChunks(response.body))) {
        if (event.data === '') continue
        lastEventId = event.id ?? lastEventId
        yield event
      }
    } catch (error) {
      failure = error
    }
    signal.throwIfAborted()
    const delayMs = pauseMs(failures, failure)
    if (delayMs === undefined) throw failure
    onConnection?.('lost')
    await wait(delayMs, signal)
  }
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
