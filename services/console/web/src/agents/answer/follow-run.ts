import { ApiError } from '@wp/client/browser'
import { followStream, type StreamOptions } from '../../api/follow-events.ts'
import type { Chunk } from './message-stream.ts'

/** The events of a run to follow: those of a new one, or of one that was started before. */
export type RunToFollow = { agentId: string; body: Readonly<Record<string, unknown>> } | { runId: string }

const reconnectDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/**
 * Starts or follows a run and returns its events until it has ended. A connection that is lost after the first event is
 * made again after the last event received, so that none is lost or repeated.
 * @throws ApiError if a request is refused; the error of the network if the run cannot be started or reached again
 */
export async function* followRun(run: RunToFollow, options: StreamOptions): AsyncGenerator<Chunk> {
  let runId = 'runId' in run ? run.runId : undefined
  const target = () =>
    runId === undefined && 'agentId' in run
      ? { path: `/v1/ai/agents/${encodeURIComponent(run.agentId)}/run`, body: { ...run.body, stream: true } }
      : { path: `/v1/ai/runs/${encodeURIComponent(runId ?? '')}/events` }
  const pauseMs = (failures: number, error: unknown) => {
    const isRefused = error instanceof ApiError && !retriedStatuses.has(error.status)
    return runId === undefined || isRefused ? undefined : reconnectDelaysMs[failures]
  }
  for await (const { data } of followStream(target, options, pauseMs)) {
    if (data === '[DONE]') return
    const chunk = JSON.parse(data) as Chunk // the protocol of the API
    if (chunk.type === 'start' && typeof chunk.messageId === 'string') runId = chunk.messageId
    yield chunk
  }
}
