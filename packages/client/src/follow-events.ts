import { ApiError, createNetworkError, InvalidResponseError, NetworkError } from './transport/errors.ts'
import { type EventRecord, readChunks, readServerSentEvents } from './transport/server-sent-events.ts'
import { pause } from './transport/wait.ts'

/** A server-sent event with its data, parsed. */
export interface ServerSentEvent<Data = unknown> {
  /** Position of the event in the stream. */
  id: string | undefined
  /** Type of the event, usually `message`. */
  event: string
  data: Data
}

/** Iterates over the events of a stream. A connection that is lost is made again after the last event received. */
export type EventIterator<Data = unknown> = AsyncGenerator<ServerSentEvent<Data>, void, undefined>

/** The place at which a stream is opened. */
export interface StreamPosition {
  lastEventId: string | undefined
  /** The run that the request which opened the stream has started. */
  runId: string | undefined
}

export interface FollowOptions {
  /** Requests the events after a position. */
  open(position: StreamPosition): Promise<Response>
  /** True for the events of a run: they end with `[DONE]`. Others never end. */
  isRun: boolean
  signal: AbortSignal | undefined
  /** Longest time without a byte; the platform sends one every 15 seconds. */
  idleTimeoutMs: number
}

/** Connections in a row without an event, after which the stream is given up. */
const maxFailures = 5
const [defaultRetryMs, maxRetryMs] = [500, 30_000]

/**
 * Iterates over the events of a stream and reconnects with `Last-Event-ID` when the connection is lost. No event is
 * repeated.
 * @throws the error of `open`; NetworkError after several connections without an event; the reason of the signal
 */
export async function* followEvents({ open, isRun, signal, idleTimeoutMs }: FollowOptions): EventIterator {
  const position: StreamPosition = { lastEventId: undefined, runId: undefined }
  let retryMs = defaultRetryMs
  let failures = 0
  while (true) {
    const response = await open(position)
    let error: unknown = new NetworkError('the stream ended early', { cause: new Error('the connection was closed') })
    try {
      if (!isEventStream(response)) {
        position.runId = await readRunId(response)
        continue
      }
      const chunks = readChunks(response.body, (reader) => readWithin(reader, idleTimeoutMs))
      for await (const record of readServerSentEvents(chunks)) {
        retryMs = record.retryMs ?? retryMs
        if (record.data === '') continue
        if (isRun && record.data === '[DONE]') return
        failures = 0
        yield advance(position, record, response)
      }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof InvalidResponseError || cause instanceof ApiError || cause instanceof RangeError) throw cause
      error = cause instanceof NetworkError ? cause : createNetworkError(new URL(response.url), cause)
    }
    failures += 1
    if (failures > maxFailures) throw error
    await pause(Math.min(maxRetryMs, retryMs * 2 ** (failures - 1)) * (1 + Math.random() / 2), signal)
  }
}

function advance(position: StreamPosition, { id, event, data }: EventRecord, response: Response): ServerSentEvent {
  const parsed = parseData(data, response)
  position.lastEventId = id ?? position.lastEventId
  // The first event of a run names it.
  if (isObject(parsed) && parsed.type === 'start' && typeof parsed.messageId === 'string')
    position.runId = parsed.messageId
  return { id, event, data: parsed }
}

function parseData(data: string, response: Response): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new InvalidResponseError('the data of an event is not JSON', response, { cause })
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** Returns the id of the run: a repeated request is answered with the run that the first one has started. */
async function readRunId(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const run = isObject(body) && isObject(body.data) ? body.data : {}
  const id = run.run_id ?? run.id
  if (typeof id !== 'string') throw new InvalidResponseError('the response is not a stream of events', response)
  return id
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NetworkError(`no byte of the stream within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
