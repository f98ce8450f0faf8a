import { createHash } from 'node:crypto'
import { problem } from '@wp/contracts'
import type { RecordPosition } from '../../../store/search/newest-records.ts'
import { maxSortText, type SortKey, sortGroups } from './sort-key.ts'

/** The position after the last hit of a page of a search without a query. */
export interface RecordCursor extends RecordPosition {
  /** Undefined if records are listed newest first. */
  sortKey: SortKey | undefined
}

/** @param sort of the request; a cursor is valid for the same order only */
export const encodeRecordCursor = (sort: string | undefined, { sortKey, createdAt, recordId }: RecordCursor): string =>
  Buffer.from(JSON.stringify([hashOf(sort), createdAt.getTime(), recordId, ...(sortKey ?? [])])).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeRecordCursor(text: string, sort: string | undefined, pointer: string): RecordCursor {
  const [hash, time, recordId, ...key] = parse(text)
  const sortKey = parseSortKey(key)
  if (
    hash === hashOf(sort) &&
    Number.isSafeInteger(time) &&
    Number(time) >= 0 &&
    Number(time) <= maxTime &&
    typeof recordId === 'string' &&
    /^rec_[0-9a-z]{26}$/.test(recordId) &&
    (sortKey === undefined) === (sort === undefined)
  )
    return { createdAt: new Date(Number(time)), recordId, sortKey }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

/** The last millisecond of year 9999. */
const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const hashOf = (sort: string | undefined): string =>
  sort === undefined ? '' : createHash('sha256').update(sort).digest('hex').slice(0, 8)

function parseSortKey([group, value]: readonly unknown[]): SortKey | undefined {
  if (group === sortGroups.number && typeof value === 'number') return [group, value]
  if (group === sortGroups.text && typeof value === 'string' && value.length <= maxSortText) return [group, value]
  return group === sortGroups.missing && value === null ? [group, value] : undefined
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) && (value.length === 3 || value.length === 5) ? value : []
  } catch {
    return []
  }
}
