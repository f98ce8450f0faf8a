import type { NewAuditDoc } from '@wp/contracts'
import type { Schedule } from '@wp/jobs/background'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { removeExpiredContents, removeExpiredParts } from '../store/exports.ts'

const intervalMs = 600_000
/** Expired content stays this long, so that downloads in progress can end. */
const graceMs = 3_600_000
/** Parts deleted by one statement: 32 MiB at most. */
const partBatch = 32
const contentBatch = 500

/** Input of an export job: the parsed body of the request. */
export type ExportInput = z.output<typeof NewAuditDoc>

/** A record at one end of an export. */
export interface ExportEnd {
  seq: number
  hash: string
}

/** State of an export job at a checkpoint. */
export interface ExportState {
  /** Position of the last record when the export began; later ones are not exported. */
  headSeq: number
  /** Position up to which the chain was exported. */
  after: number
  recordCount: number
  bytes: number
  /** Number of parts of the content. */
  parts: number
  first: ExportEnd | null
  last: ExportEnd | null
}

/** Result of a finished export job: the fields of the resource that are null before. */
export interface ExportResult {
  record_count: number
  bytes: number
  sha256: string
  /** Null, as the three below, if there is no record. */
  first_seq: number | null
  last_seq: number | null
  first_hash: string | null
  last_hash: string | null
  expires_at: string
}

/** Deletes one batch of expired contents. @returns `more` if there may be further ones */
export async function removeExpired({ database, now, metrics }: RetentionContext): Promise<'more' | 'idle'> {
  const before = new Date(now() - graceMs)
  const parts = await removeExpiredParts(database.worker, before, partBatch)
  if (parts === partBatch) return 'more'
  const removed = await removeExpiredContents(database.worker, before, contentBatch)
  metrics.count('audit_exports_removed_total', {}, removed)
  return removed === contentBatch ? 'more' : 'idle'
}

type RetentionContext = Pick<Context, 'database' | 'now' | 'metrics'>

/** Returns the schedule that deletes the contents of exports after their expiry, in batches. */
export const exportRetentionSchedule = (context: RetentionContext): Schedule => ({
  name: 'export retention',
  everyMs: intervalMs,
  pass: () => removeExpired(context),
})
