import type { IconName } from '../../ui/button/button.tsx'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import { numberSigns } from '../../ui/format/number-signs.ts'
import type { Sync } from './queries.ts'

/** Words of the API that addresses of pages contain. They are copies, so that the initial bundle needs no contracts. */
export const sourceProviders = ['upload', 'http', 'postgres', 's3'] as const
export type SourceProvider = (typeof sourceProviders)[number]

export const sourceStates = ['active', 'paused', 'error'] as const
export const syncStates = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const

/** The providers of data sources in words. */
export const providerWords = {
  upload: {
    label: 'A file',
    description: 'Excel workbooks, CSV, JSON and Parquet files and documents, from this device or by the API.',
    icon: 'upload',
  },
  http: {
    label: 'Web address',
    description: 'Any HTTP address that answers with CSV, JSON or documents, page by page if needed.',
    icon: 'external',
  },
  postgres: {
    label: 'Database',
    description: 'The rows of a query of a PostgreSQL database, through an integration.',
    icon: 'data',
  },
  s3: {
    label: 'Cloud storage',
    description: 'The files of a bucket at Amazon S3 or a compatible store, through an integration.',
    icon: 'download',
  },
} as const satisfies Record<SourceProvider, { label: string; description: string; icon: IconName }>

/** Returns the state to show: a source without a row is not well only because it is switched on. */
export const stateOf = ({ status, record_count: rows }: { status: string; record_count: number }): string =>
  status === 'active' && rows === 0 ? 'empty' : status

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

/** Formats a value of a field of a record; empty for none. Numbers have no groups, for they may be ids or years. */
export function formatFieldValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value).replace('.', numberSigns().decimal)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
