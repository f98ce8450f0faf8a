import { formatCount, formatNumber } from '../../ui/format/format.ts'
import type { Sync } from './queries.ts'

/** Describes the counts of a sync or upload: `12 rows read: 10 new, 1 changed, 1 unchanged`. */
export function describeCounts({ seen, created, updated, deleted, failed }: Sync['counts']): string {
  const unchanged = Math.max(0, seen - created - updated - failed)
  const parts = [
    [created, 'new'],
    [updated, 'changed'],
    [unchanged, 'unchanged'],
    [deleted, 'deleted'],
    [failed, 'rejected'],
  ] as const
  const named = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`)
  const read = `${formatCount(seen, 'row')} read`
  return named.length === 0 ? read : `${read}: ${named.join(', ')}`
}
