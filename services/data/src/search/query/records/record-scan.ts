import {
  type ListedRecord,
  listNewestRecords,
  type RecordPosition,
  readFieldValues,
} from '../../../store/search/newest-records.ts'
import type { SearchSession } from '../../session/search-session.ts'

/** A record with the values of the requested fields, in order. */
export interface ScannedRecord extends ListedRecord {
  fieldValues: readonly unknown[]
}

interface ScanOptions {
  sourceIds: readonly string[]
  /** Names of the fields to read. */
  names: readonly string[]
  /** Position to start after; undefined: begins with the newest record. */
  after: RecordPosition | undefined
  maxRecords: number
}

/** Positions are listed in pages, of which the first is small: most searches need no more. */
const [firstPage, furtherPages] = [1_000, 10_000]
/** Field values are read of this many records at once. */
const batchSize = 1_000

/**
 * Reads records of several sources, newest first.
 * @param visit returns true to end the scan
 * @returns the position of the last record that was read; undefined if there are no further ones
 */
export async function scanRecords(
  session: SearchSession,
  { sourceIds, names, after, maxRecords }: ScanOptions,
  visit: (record: ScannedRecord) => Promise<boolean>,
): Promise<RecordPosition | undefined> {
  let position = after
  for (let [scanned, pageSize] = [0, firstPage]; scanned < maxRecords; pageSize = furtherPages) {
    const limit = Math.min(pageSize, maxRecords - scanned)
    const page = { after: position, limit }
    const listed = await listNewestRecords(session.queryInIndexOrder, session.workspaceId, sourceIds, page)
    for (let rest = listed; rest.length > 0; ) {
      const { records, read } = await readValues(session, rest.slice(0, batchSize), names)
      for (const record of records) {
        if (await visit(record)) return record
        if (session.isYieldDue()) await session.yieldIfDue()
      }
      rest = rest.slice(read)
    }
    if (listed.length < limit) return undefined
    position = listed.at(-1)
    scanned += listed.length
  }
  return position
}

async function readValues(
  { query, workspaceId }: SearchSession,
  batch: readonly ListedRecord[],
  names: readonly string[],
): Promise<{ records: ScannedRecord[]; read: number }> {
  if (names.length === 0)
    return { records: batch.map((record) => ({ ...record, fieldValues: [] })), read: batch.length }
  const recordIds = batch.map(({ recordId }) => recordId)
  const { records, read } = await readFieldValues(query, workspaceId, recordIds, names)
  const scanned = records.flatMap(({ position, fieldValues }) => {
    const record = batch[position]
    return record === undefined ? [] : [{ ...record, fieldValues }]
  })
  return { records: scanned, read }
}
