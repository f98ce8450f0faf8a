import type { RecordPosition } from '../../../store/search/newest-records.ts'
import { parseSort } from '../filter/searched-fields.ts'
import type { MatchingRecords } from './matching-records.ts'
import type { RecordCursor } from './record-cursor.ts'
import { compareSortKeys, type SortKey } from './sort-key.ts'

/** A record of a page. */
export type FoundRecord = RecordCursor & { dataSourceId: string }

export interface CollectedHits {
  /** Passing records after the cursor, in order: one more than the limit if there are as many. */
  found: FoundRecord[]
  /** The position after the last record that was read; undefined if there are no further ones. */
  end: RecordPosition | undefined
  /** Number of passing records that were read. */
  count: number
}

interface PageSize {
  /** Number of hits. */
  limit: number
  /** Number of records that are read. */
  maxRecords: number
}

/** Collects the newest records after a cursor. */
export async function collectNewest(
  matching: MatchingRecords,
  { limit, maxRecords }: PageSize,
  after: RecordCursor | undefined,
): Promise<CollectedHits> {
  const found: FoundRecord[] = []
  const end = await matching.scan({ after, maxRecords }, ({ fieldValues, ...record }) => {
    found.push({ ...record, sortKey: undefined })
    return found.length > limit
  })
  return { found, end, count: found.length }
}

interface SortOptions {
  sort: string
  readKey: (value: unknown, dataSourceId: string) => SortKey
}

/** Collects the first records after a cursor in the order of a field: of the newest ones. Equal ones: newest first. */
export async function collectSorted(
  matching: MatchingRecords,
  { limit, maxRecords }: PageSize,
  after: RecordCursor | undefined,
  { sort, readKey }: SortOptions,
): Promise<CollectedHits> {
  const { field, isDescending } = parseSort(sort)
  const found: SortedRecord[] = []
  let count = 0
  const end = await matching.scan({ maxRecords }, ({ fieldValues, ...record }) => {
    count++
    const value = matching.valueOf({ fieldValues, ...record }, field)
    const candidate = { ...record, sortKey: readKey(value, record.dataSourceId) }
    if (after?.sortKey !== undefined && !isBefore({ ...after, sortKey: after.sortKey }, candidate, isDescending))
      return false
    insert(found, candidate, isDescending)
    if (found.length > limit + 1) found.pop()
    return false
  })
  return { found, end, count }
}

type SortedRecord = RecordPosition & { dataSourceId: string; sortKey: SortKey }

/** Returns true if the first record precedes the second. */
function isBefore(a: Omit<SortedRecord, 'dataSourceId'>, b: Omit<SortedRecord, 'dataSourceId'>, isDescending: boolean) {
  const order = compareSortKeys(a.sortKey, b.sortKey, isDescending) || b.createdAt.getTime() - a.createdAt.getTime()
  return order < 0 || (order === 0 && a.recordId > b.recordId)
}

/** Inserts a record into an ordered list, by binary search. */
function insert(list: SortedRecord[], record: SortedRecord, isDescending: boolean): void {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const known = list[middle]
    if (known !== undefined && isBefore(known, record, isDescending)) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, record)
}
