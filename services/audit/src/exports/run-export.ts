import { createHash, type Hash } from 'node:crypto'
import type { JobErrorCode } from '@wp/contracts'
import { type Database, enforceQuotas, type Query } from '@wp/database'
import { type Job, JobFailure } from '@wp/jobs'
import type { Context } from '../context.ts'
import type { Control } from '../store/client.ts'
import { appendParts, type ExportKey, findContent, insertContent, readPart, setExpiry } from '../store/exports.ts'
import { exportBytesQuota } from '../store/quotas.ts'
import type { StoredRecord } from '../store/record-types.ts'
import { readAscending, readChainEnd } from '../store/records.ts'
import { recordView } from '../views.ts'
import { type ContentBuffer, createContentBuffer, maxPartBytes } from './content-buffer.ts'
import type { ExportInput, ExportResult, ExportState } from './export-job.ts'
import { formats } from './formats/index.ts'

/** Positions of the chain covered by one statement, and the records that it returns at most. */
const windowPositions = 10_000
const pageRecords = 500
/** Positions after which a checkpoint is written even if few of their records match the filters. */
const checkpointPositions = 100_000

const msPerDay = 86_400_000

/** Thrown when the content of a running export was deleted, as the erasure of a person does. */
class ContentDeleted extends Error {
  override readonly name = 'ContentDeleted'
}

/** One attempt at an export. */
interface Attempt {
  context: Context
  job: Job
  control: Control
  state: ExportState
  buffer: ContentBuffer
  /** Of the stored parts. */
  hash: Hash
}

/**
 * Runs one attempt: continues at the last checkpoint, writes the records in parts, and commits the result with its
 * event. If the content is deleted during the run, the job goes back to the queue and begins again.
 * @throws JobFailure if the export cannot finish
 */
export async function runExport(context: Context, job: Job, control: Control): Promise<void> {
  if (!control.caller.scopes.includes('audit:export'))
    throw failure('missing_scope', 'The caller who started the export no longer has the scope audit:export')
  try {
    const attempt = await startAttempt(context, job, control)
    await exportRecords(attempt)
    await finish(attempt)
  } catch (error) {
    if (!(error instanceof ContentDeleted)) throw error
    await control.requeue()
  }
}

async function startAttempt(context: Context, job: Job, control: Control): Promise<Attempt> {
  const { database } = context
  const stored = await database.read(job, (_db, query) => findContent(query, job))
  const isResumed = stored !== undefined
  const state = isResumed
    ? (job.detail as unknown as ExportState) // written together with the content, by the checkpoints below
    : await beginExport(context, job, control)
  const hash = createHash('sha256')
  if (isResumed) for await (const part of readContent(database, job)) hash.update(part)
  const buffer = createContentBuffer()
  if (state.bytes === 0) buffer.add(formats[inputOf(job).format].header)
  return { context, job, control, state, buffer, hash }
}

/** Creates the content and decides which records are exported: those up to the present head of the chain. */
async function beginExport({ database }: Context, job: Job, control: Control): Promise<ExportState> {
  const { head } = await database.read(job, (_db, query) => readChainEnd(query, job.workspaceId, undefined))
  const counts = { after: 0, recordCount: 0, bytes: 0, parts: 0, first: null, last: null }
  const state: ExportState = { headSeq: head?.seq ?? 0, ...counts }
  await control.checkpoint(async ({ query }) => {
    await insertContent(query, job)
    return { progress: 0, detail: { ...state }, isProgress: false }
  })
  return state
}

/** Reads the chain page by page, and stores the content whenever there is enough for a part. */
async function exportRecords(attempt: Attempt): Promise<void> {
  const { context, job, control, state, buffer } = attempt
  const { format: formatName, from: since, to: until, filters } = inputOf(job)
  const format = formats[formatName]
  let checkpointed = state.after
  while (state.after < state.headSeq) {
    control.signal.throwIfAborted()
    const to = Math.min(state.after + windowPositions, state.headSeq)
    const range = { after: state.after, to, limit: pageRecords }
    const records = await context.database.read(
      { workspaceId: job.workspaceId, signal: control.signal },
      (_db, query) => readAscending(query, job.workspaceId, { ...filters, since, until }, range),
    )
    for (const record of records) buffer.add(format.line(recordView(record), job.workspaceId))
    countRecords(state, records)
    state.after = records.length === pageRecords ? (records.at(-1)?.record.seq ?? to) : to
    requireFits(context, state.bytes + buffer.bytes)
    if (buffer.bytes < maxPartBytes && state.after - checkpointed < checkpointPositions) continue
    checkpointed = state.after
    const parts = takeParts(attempt)
    await control.checkpoint(async ({ query }) => {
      await storeParts(query, job, parts)
      return { progress: state.after / state.headSeq, detail: { ...state } }
    })
  }
}

function countRecords(state: ExportState, records: readonly StoredRecord[]): void {
  state.recordCount += records.length
  for (const { record, hash } of records) {
    state.first ??= { seq: record.seq, hash }
    state.last = { seq: record.seq, hash }
  }
}

function requireFits({ exports: { maxBytes } }: Context, bytes: number): void {
  if (bytes > maxBytes)
    throw failure(
      'export_too_large',
      `The content exceeds ${maxBytes} bytes: export a shorter time range, or fewer records with filters`,
    )
}

/** Parts to be stored from a position on. */
interface NewParts {
  position: number
  parts: Buffer[]
  bytes: number
}

/**
 * Takes the collected content out of the buffer and counts it as stored: if the transaction fails, so does the attempt.
 */
function takeParts({ state, buffer, hash }: Attempt): NewParts {
  const parts = buffer.take()
  const taken = { position: state.parts, parts, bytes: parts.reduce((sum, part) => sum + part.length, 0) }
  for (const part of parts) hash.update(part)
  state.parts += parts.length
  state.bytes += taken.bytes
  return taken
}

async function storeParts(query: Query, job: Job, parts: NewParts): Promise<void> {
  if (!(await appendParts(query, job, parts))) throw new ContentDeleted(`the content of ${job.id} was deleted`)
  await enforceQuotas(query, job.workspaceId, [{ quota: exportBytesQuota, added: parts.bytes }])
}

/** Stores the rest of the content and the result, and emits AUDIT_DOC_FINISHED. */
async function finish(attempt: Attempt): Promise<void> {
  const { context, job, control, state, hash } = attempt
  const parts = takeParts(attempt)
  const expiresAt = new Date(context.now() + context.exports.retentionDays * msPerDay)
  const result = resultOf(state, hash.digest('hex'), expiresAt)
  const { record_count, sha256 } = result
  await control.finish(async (tx) => {
    await storeParts(tx.query, job, parts)
    await setExpiry(tx.query, job, expiresAt)
    const { format } = inputOf(job)
    tx.emit({ kind: 'AUDIT_DOC_FINISHED', data: { id: job.id, status: 'finished', format, record_count, sha256 } })
    return result
  })
}

const resultOf = ({ recordCount, bytes, first, last }: ExportState, sha256: string, expiresAt: Date): ExportResult => ({
  record_count: recordCount,
  bytes,
  sha256,
  first_seq: first?.seq ?? null,
  last_seq: last?.seq ?? null,
  first_hash: first?.hash ?? null,
  last_hash: last?.hash ?? null,
  expires_at: expiresAt.toISOString(),
})

const inputOf = (job: Job): ExportInput => job.input as ExportInput // written by startDoc, from the parsed body

const failure = (code: JobErrorCode, message: string) => new JobFailure({ code, message, retryable: false })
/** Yields the stored parts of an export in order. The connection is released between two parts. */
export async function* readContent(database: Pick<Database, 'read'>, key: ExportKey): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const part = await database.read({ workspaceId: key.workspaceId }, (_db, query) => readPart(query, key, position))
    if (part === undefined) return
    yield part
  }
}
