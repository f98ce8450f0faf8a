import { setTimeout as delay } from 'node:timers/promises'
import type { EndpointDefinition, ServerSentEvent } from '@wp/contracts'
import type { HttpResponse } from './send-response.ts'

interface Options {
  /** Ends the stream when it is aborted. */
  signal: AbortSignal
  /** Longest time without a byte, in milliseconds: a comment is sent then, so that proxies keep the connection open. */
  keepAliveMs: number
}

/** The members of an endpoint that describe its stream. */
type StreamDefinition = Pick<EndpointDefinition, 'eventData' | 'eventProtocol'>

interface EventStreamResponse extends HttpResponse {
  headers: Record<Lowercase<string>, string>
  body: () => AsyncIterable<string>
}

/**
 * Builds the response of an endpoint that responds with server-sent events. An endpoint of the kind `http` that
 * responds with them under some conditions builds it itself.
 */
export const eventStreamResponse = (
  definition: StreamDefinition,
  events: AsyncIterable<ServerSentEvent>,
  options: Options,
): EventStreamResponse => ({
  status: 200,
  headers: {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    ...(definition.eventProtocol === 'ui-message-stream' ? { 'x-vercel-ai-ui-message-stream': 'v1' } : {}),
  },
  body: () => encodeEvents(definition, events, options),
})

async function* encodeEvents(
  definition: StreamDefinition,
  events: AsyncIterable<ServerSentEvent>,
  { signal, keepAliveMs }: Options,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    while (true) {
      const result = await firstOf(next, signal, keepAliveMs)
      if (result === 'aborted') return
      if (result === 'timeout') yield ': keep-alive\n\n'
      else if (result.done === true) {
        // A stream that was aborted has not ended: its client reconnects.
        if (definition.eventProtocol !== undefined && !signal.aborted) yield 'data: [DONE]\n\n'
        return
      } else {
        yield encodeEvent(definition, result.value)
        next = iterator.next()
      }
    }
  } finally {
    // Not awaited: a generator returns only after its pending `next`, which may take as long as the next event.
    void Promise.allSettled([next, iterator.return?.()])
  }
}

/** Waits for a promise, the signal or the timeout, whichever comes first. */
async function firstOf<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<T | 'aborted' | 'timeout'> {
  if (signal.aborted) return 'aborted'
  const over = new AbortController()
  const waiting = delay(timeoutMs, 'timeout' as const, { signal: AbortSignal.any([signal, over.signal]) })
  try {
    return await Promise.race([promise, waiting.catch(() => 'aborted' as const)])
  } finally {
    over.abort()
  }
}

/** A line break would end the field, so ids and types must not have any; JSON has none. */
function encodeEvent({ eventData }: StreamDefinition, { id, event, data }: ServerSentEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${singleLine(id)}`]),
    ...(event === undefined ? [] : [`event: ${singleLine(event)}`]),
    `data: ${JSON.stringify(eventData === undefined ? data : eventData.parse(data))}`,
  ]
  return `${lines.join('\n')}\n\n`
}

function singleLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('id and type of an event must not contain line breaks or NUL')
  return text
}
