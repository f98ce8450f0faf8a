import { ApiError } from '@wp/client/browser'
import { waitFor } from '../../api/follow-events.ts'
import { apiPath, consoleHeaders } from '../../api/request-session.ts'
import { readServerSentEvents } from '../../api/server-sent-events.ts'
import type { Chunk } from './message-stream.ts'

/** The events of a run to follow: those of a new one, or of one that was started before. */
export type RunToFollow = { agentId: string; body: Readonly<Record<string, unknown>> } | { runId: string }

export interface FollowOptions {
  workspaceId: string
  signal: AbortSignal
  /** Reports a lost connection, and its return. */
  onConnection?: (state: 'open' | 'lost') => void
  /** Replaced by tests. */
  request?: (path: string, init: RequestInit) => Promise<Response>
  /** Waits before a connection is made again. Replaced by tests. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const reconnectDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/**
 * Starts or follows a run and returns its events until it has ended. A connection that is lost after the first event is
 * made again after the last event received, so that none is lost or repeated.
 * @throws ApiError if a request is refused; the error of the network if the run cannot be started or reached again
 */
export async function* followRun(run: RunToFollow, options: FollowOptions): AsyncGenerator<Chunk> {
  const { signal, onConnection, wait = waitFor } = options
  let runId = 'runId' in run ? run.runId : undefined
  let lastEventId: string | undefined
  let failures = 0
  while (true) {
    try {
      const body = await connect(runId === undefined ? run : { runId }, lastEventId, options)
      failures = 0
      onConnection?.('open')
      for await (const { id, data } of readServerSentEvents(body)) {
        if (data === '[DONE]') return
        const chunk = JSON.parse(data) as Chunk // the protocol of the API
        lastEventId = id ?? lastEventId
        if (chunk.type === 'start' && typeof chunk.messageId === 'string') runId = chunk.messageId
        yield chunk
      }
    } catch (error) {
      if (signal.aborted || runId === undefined || !mayReconnect(error)) throw error
      if (failures >= reconnectDelaysMs.length) throw error
    }
    if (runId === undefined) throw new TypeError('the connection ended before the run began')
    onConnection?.('lost')
    const delayMs = reconnectDelaysMs[Math.min(failures, reconnectDelaysMs.length - 1)] ?? 0
    failures += 1
    await wait(delayMs, signal)
  }
}

const mayReconnect = (error: unknown): boolean =>
  error instanceof ApiError ? retriedStatuses.has(error.status) : !(error instanceof SyntaxError)

async function connect(
  run: RunToFollow,
  lastEventId: string | undefined,
  { workspaceId, signal, request = (path, init) => fetch(path, init) }: FollowOptions,
): Promise<ReadableStream<Uint8Array>> {
  const headers = { ...consoleHeaders, 'x-workspace-key': workspaceId, accept: 'text/event-stream' }
  const response =
    'runId' in run
      ? await request(`${apiPath}/v1/ai/runs/${encodeURIComponent(run.runId)}/events`, {
          headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
          signal,
        })
      : await request(`${apiPath}/v1/ai/agents/${encodeURIComponent(run.agentId)}/run`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ ...run.body, stream: true }),
          signal,
        })
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
  if (response.body === null) throw new TypeError('the response has no body')
  return response.body
}
