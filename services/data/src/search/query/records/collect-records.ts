import type { RecordPosition } from '../../../store/search/newest-records.ts'
import { parseSort } from '../filter/searched-fields.ts'
import type { MatchingRecords } from './matching-records.ts'
import { compareSortKeys, type SortKey } from './sort-key.ts'

export interface CollectedRecords<Found = RecordPosition> {
  /** Passing records, in order: one more than the limit if there are as many. */
  found: Found[]
  /** The position after the last record that was read; undefined if there are no further ones. */
  end: RecordPosition | undefined
  /** Number of passing records that were read. */
  count: number
}

/** Collects the newest records after a position. */
export async function collectNewest(
  matching: MatchingRecords,
  { limit, maxRecords }: { limit: number; maxRecords: number },
  after: RecordPosition | undefined,
): Promise<CollectedRecords> {
  const found: RecordPosition[] = []
  const end = await matching.scan({ after, maxRecords }, ({ createdAt, recordId }) => {
    found.push({ createdAt, recordId })
    return found.length > limit
  })
  return { found, end, count: found.length }
}

interface SortOptions {
  sort: string
  readKey: (value: unknown, dataSourceId: string) => SortKey
}

/** Collects the first `count` records in the order of a field: of the newest ones. Equal ones: newest first. */
export async function collectSorted(
  matching: MatchingRecords,
  { count: wanted, maxRecords }: { count: number; maxRecords: number },
  { sort, readKey }: SortOptions,
): Promise<CollectedRecords<SortedRecord>> {
  const { field, isDescending } = parseSort(sort)
  const found: SortedRecord[] = []
  let count = 0
  const end = await matching.scan({ maxRecords }, ({ fieldValues, ...record }) => {
    count++
    const value = matching.valueOf({ fieldValues, ...record }, field)
    const { createdAt, recordId, dataSourceId } = record
    const candidate = { createdAt, recordId, sortKey: readKey(value, dataSourceId) }
    const last = found.length < wanted ? undefined : found.at(-1)
    if (last !== undefined && !isBefore(candidate, last, isDescending)) return false
    insert(found, candidate, isDescending)
    if (found.length > wanted) found.pop()
    return false
  })
  return { found, end, count }
}

type SortedRecord = RecordPosition & { sortKey: SortKey }

/** Returns true if the first record precedes the second. */
function isBefore(a: SortedRecord, b: SortedRecord, isDescending: boolean) {
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
