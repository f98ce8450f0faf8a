import { type DestinationConfig, Problem } from '@wp/contracts'
import type { Job, JobControl } from '@wp/jobs'
import { redactSecrets, secretsOfHeader } from '@wp/outbound'
import type { Context } from '../context.ts'
import type { Client } from '../store/client.ts'
import {
  beginBatch,
  destinationQueue,
  endBatch,
  readDestination,
  type WritableDestination,
} from '../store/destinations/progress.ts'
import { openDestination, secretTexts } from './config-secrets.ts'
import { destinationOf, finishFailed } from './finish-failed.ts'
import { type LogPage, readPage } from './read-log.ts'
import { openSink } from './sinks/open-sink.ts'
import { type Sink, SinkError } from './sinks/sink.ts'
import { writeBatch } from './sinks/write-batch.ts'

type WriteContext = Pick<
  Context,
  'database' | 'internal' | 'outbound' | 'sealer' | 'settings' | 'now' | 'random' | 'log' | 'metrics'
>
export type Control = JobControl<Client>

/** Time after which a job ends although there is more to write, so that other workspaces get their turn. */
const turnMs = 20_000
/** Time limit of one batch, with all of its parts. */
const batchMs = 60_000
/** Pause while the log cannot be read. */
const unavailablePauseMs = 1_000

/**
 * Writes the waiting records of an event destination, batch by batch, and ends when there is none, after a failure, or
 * after a while. The end of a batch is stored before it is written and the position after it, so that a crash repeats
 * the batch, with the same records.
 */
export async function writeDestination(context: WriteContext, job: Job, control: Control): Promise<void> {
  const endsAt = context.now() + turnMs
  for (;;) {
    control.signal.throwIfAborted()
    const destination = await readDestination(context.database.worker, destinationOf(job))
    if (destination?.status !== 'active') return
    const page = await readPage(context, destination).catch((error: unknown) => {
      // The audit service is unavailable, which says nothing about the event destination.
      if (error instanceof Problem && error.status >= 500) return 'unavailable' as const
      throw error
    })
    if (page === undefined) return
    if (page === 'unavailable') return await control.requeue(unavailablePauseMs)
    const failure = await writePage(context, control, destination, page)
    if (failure !== undefined) return await finishFailed(context, control, destination, failure)
    if (context.now() >= endsAt) return await control.finish(async (tx) => tx.wake(destinationQueue))
  }
}

/** @returns the failure of the write */
async function writePage(
  context: WriteContext,
  control: Control,
  destination: WritableDestination,
  { records, end, missing }: LogPage,
): Promise<SinkError | undefined> {
  const { destinationId, workspaceId, position } = destination
  const range = { destinationId, position, batchEnd: end }
  if (destination.batchEnd === null) {
    let hasBegun = false
    await control.checkpoint(async ({ query }) => {
      hasBegun = await beginBatch(query, range)
      return { isProgress: false }
    })
    if (!hasBegun) return undefined
  }
  let counts = { written: 0, skipped: missing }
  if (records.length > 0) {
    const content = destination.content === 'audit' ? 'audit' : 'events'
    const batch = { destinationId, workspaceId, content, isTest: false, records } as const
    const signal = AbortSignal.any([control.signal, AbortSignal.timeout(batchMs)])
    const result = await withSink(context, destination, signal, (sink) => writeBatch(sink, batch)).catch(
      (error: unknown) => {
        control.signal.throwIfAborted()
        return toFailure(error)
      },
    )
    if (result instanceof SinkError) return result
    counts = { written: result.written, skipped: missing + result.skipped }
  }
  await control.checkpoint(async ({ query }) => {
    await endBatch(query, range, counts)
    return {}
  })
  context.metrics.count('event_destination_records_total', { result: 'written' }, counts.written)
  context.metrics.count('event_destination_records_total', { result: 'skipped' }, counts.skipped)
  return undefined
}

/** Uses the sink of an event destination. Secrets that the other side repeats are removed from its errors. */
export async function withSink<T>(
  { outbound, sealer, settings, now }: Pick<WriteContext, 'outbound' | 'sealer' | 'settings' | 'now'>,
  { destinationId, config, secretsSealed }: Pick<WritableDestination, 'destinationId' | 'config' | 'secretsSealed'>,
  signal: AbortSignal,
  use: (sink: Sink, redact: (text: string) => string) => Promise<T>,
): Promise<T> {
  const secrets = openDestination(sealer, destinationId, secretsSealed)
  const texts = secretTexts(secrets).flatMap(secretsOfHeader)
  const redact = redactSecrets(texts, { isTruncated: true })
  const { attemptTimeoutMs: timeoutMs, connectTimeoutMs } = settings
  // Only written in this shape.
  const sink = await openSink(config as DestinationConfig, secrets, {
    outbound,
    now,
    timeoutMs,
    connectTimeoutMs,
    signal,
  })
  try {
    return await use(sink, redact)
  } catch (error) {
    if (!(error instanceof SinkError)) throw error
    const { code, message, retryAfterMs, cause } = error
    throw new SinkError(code, redact(message), { retryAfterMs, cause })
  } finally {
    sink.close?.()
  }
}

/** Returns the failure of a write. An error of ours is one too: it must not stop the records of other destinations. */
export function toFailure(error: unknown): SinkError {
  if (error instanceof SinkError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new SinkError('timeout', 'The batch took longer than a minute', { cause: error })
  return new SinkError('internal', 'Something went wrong on our side', { cause: error })
}
