import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import { removeExpiredContents, removeExpiredParts } from '../store/exports.ts'

const intervalMs = 600_000
/** Expired content stays this long, so that downloads in progress can end. */
const graceMs = 3_600_000
/** Parts deleted by one statement: 32 MiB at most. */
const partBatch = 32
const contentBatch = 500

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
