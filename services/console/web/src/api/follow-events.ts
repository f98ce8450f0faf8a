import { ApiError } from '@wp/client/browser'
import { apiPath, consoleHeaders } from './request-session.ts'
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts'

export interface FollowEventsOptions {
  workspaceId: string
  /** Ends the stream: the generator throws its reason. */
  signal: AbortSignal
  /** Reports that a connection was made, or that it was lost and is made again. */
  onConnection?: (state: 'open' | 'lost') => void
  /** Replaced by tests. */
  request?: (path: string, init: RequestInit) => Promise<Response>
  /** Waits before a connection is made again. Replaced by tests. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** A number of 0 to 1. Replaced by tests. */
  random?: () => number
}

const minBackoffMs = 1_000
const maxBackoffMs = 30_000
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Follows a stream of server-sent events without end. A connection that ends or is lost is made again, with
 * `Last-Event-ID`, after a pause that grows with every failure in a row. `EventSource` cannot send the header of the
 * console.
 * @param path path and query of the endpoint, such as `/v1/notifications/events/stream`
 * @throws ApiError if the stream is refused for good; the reason of the signal
 */
export async function* followEvents(path: string, options: FollowEventsOptions): AsyncGenerator<ServerSentEvent> {
  const { signal, onConnection, wait = waitFor, random = Math.random } = options
  let lastEventId: string | undefined
  for (let failures = 0; ; failures++) {
    try {
      const body = await connect(path, lastEventId, options)
      failures = 0
      onConnection?.('open')
      for await (const event of readServerSentEvents(body)) {
        lastEventId = event.id ?? lastEventId
        yield event
      }
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && !retriedStatuses.has(error.status))) throw error
    }
    signal.throwIfAborted()
    onConnection?.('lost')
    await wait(backoffMs(failures, random()), signal)
  }
}

/** Between a half and the whole of a pause that doubles: pages that lost the same server do not return together. */
const backoffMs = (failures: number, share: number): number =>
  Math.min(maxBackoffMs, minBackoffMs * 2 ** failures) * (0.5 + share / 2)

async function connect(
  path: string,
  lastEventId: string | undefined,
  { workspaceId, signal, request = (url, init) => fetch(url, init) }: FollowEventsOptions,
): Promise<ReadableStream<Uint8Array>> {
  const response = await request(apiPath + path, {
    headers: {
      ...consoleHeaders,
      'x-workspace-key': workspaceId,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal,
  })
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
  if (response.body === null) throw new TypeError('the response has no body')
  return response.body
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
