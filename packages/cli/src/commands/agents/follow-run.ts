import { readServerSentEvents } from '@wp/client/server-sent-events'
import type { Connection } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { retry } from '../../retry.ts'

/** A chunk of the UI message stream protocol of the AI SDK. Chunks of other types are ignored. */
export interface RunChunk {
  type: string
  delta?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  errorText?: string
}

/** The connection ended before the run did. */
class StreamInterruptedError extends TypeError {}

/**
 * Passes the chunks of a run to a function, in order and each once, until the run ends. Resumes after a lost
 * connection.
 */
export async function followRun(
  context: Context,
  connection: Connection,
  runId: string,
  signal: AbortSignal,
  onChunk: (chunk: RunChunk) => void | Promise<void>,
): Promise<void> {
  let lastEventId: string | undefined
  const readToEnd = async () => {
    const body = await openStream(connection, runId, lastEventId, signal)
    for await (const { id, data } of readServerSentEvents(body)) {
      if (data === '') continue
      if (data === '[DONE]') return
      lastEventId = id ?? lastEventId
      await onChunk(JSON.parse(data))
    }
    throw new StreamInterruptedError('the stream ended early', { cause: new Error('the connection was closed') })
  }
  await retry(readToEnd, {
    signal,
    onInterrupted: (reason) => report(context, `Lost the connection to the platform (${reason}); trying again.`),
    onResumed: () => undefined,
  })
}

async function openStream(
  { baseUrl, headers }: Connection,
  runId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${baseUrl}/v1/ai/runs/${runId}/events`, {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(await headers()),
    },
    signal,
  })
  if (response.ok && response.body !== null) return response.body
  const { ApiError } = await import('@wp/client/browser')
  throw new ApiError(response, await response.json().catch(() => undefined))
}
