import { type BadRow, problem, type SyncCounts } from '@wp/contracts'
import type { Row } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { mergeTypeMismatches, type StoredTypeMismatches } from '../store/sources/observed-fields.ts'
import { addToBatch, type Batch, createBatch, isBatchFull, maxBadRows, prepareRow } from './batch.ts'
import { createPrefetch } from './prefetch.ts'
import { type FieldMapping, lacksKeyValue } from './record-input.ts'
import { createRowOrdinals, maxDifferentRows } from './row-ordinals.ts'

/** Stores a batch. Returns the numbers of created and changed records, and of switches between new and known ones. */
export type StoreBatch = (batch: Batch) => Promise<{ created: number; updated: number; switches: number }>

export interface IngestResult {
  counts: SyncCounts
  /** The first `maxBadRows` rejected rows. */
  badRows: BadRow[]
  typeMismatches: StoredTypeMismatches
  /** Number of rejected rows whose key could not be read. */
  withoutKey: number
  /** Number of rejected rows below the table. */
  footers: number
  /** Changes from new rows to known ones, and back. */
  switches: number
  /** The first row without a value in the key field, unless a row has one. */
  keylessRow: Readonly<Record<string, unknown>> | undefined
}

/**
 * Converts rows to records and stores them in batches. Reads the next batch while one is stored, never more, so memory
 * use does not depend on the number of rows.
 *
 * @param onKey is called with the key of each row, also of a rejected one whose key could be read
 * @param beforeOnly is called before the rows are stored, if they are a single batch
 * @throws the error of reading or storing; the batches before it remain stored
 */
export async function ingestRows(
  rows: AsyncIterable<Row[]>,
  config: FieldMapping & FieldDeclarations,
  store: StoreBatch,
  onKey: (key: string) => void = () => {},
  beforeOnly: (counts: SyncCounts) => void = () => {},
): Promise<IngestResult> {
  const counts = { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 }
  const badRows: BadRow[] = []
  const prefetch = createPrefetch()
  const identity = { ordinals: createRowOrdinals(tooManyDifferentRows) }
  let typeMismatches: StoredTypeMismatches = {}
  let batch = createBatch(config)
  let withoutKey = 0
  let footers = 0
  let switches = 0
  let hasKey = false
  let hasStored = false
  let keylessRow: IngestResult['keylessRow']

  function addRow(row: Row): void {
    counts.seen++
    const prepared = prepareRow(row, config, identity)
    if (prepared.key === undefined) {
      withoutKey++
      if (!('reason' in row) && lacksKeyValue(row.value, config)) keylessRow ??= row.value
    } else {
      hasKey = true
      onKey(prepared.key)
    }
    if ('record' in prepared) addToBatch(batch, prepared)
    else {
      counts.failed++
      if ('reason' in row && row.isFooter) footers++
      if (badRows.length < maxBadRows) badRows.push(prepared.badRow)
    }
  }

  async function storeBatch(full: Batch): Promise<void> {
    const { created, updated, switches: inBatch } = await store(full)
    switches += inBatch
    typeMismatches = mergeTypeMismatches(typeMismatches, full.observer.typeMismatches)
    counts.created += created
    counts.updated += updated
  }

  try {
    for await (const chunk of rows)
      for (const row of chunk) {
        addRow(row)
        if (!isBatchFull(batch)) continue
        const full = batch
        hasStored = true
        await prefetch.start(() => storeBatch(full))
        batch = createBatch(config)
      }
    await prefetch.done()
    if (!hasStored) beforeOnly(counts)
    if (batch.records.length > 0) await storeBatch(batch)
    return {
      counts,
      badRows,
      typeMismatches,
      withoutKey,
      footers,
      switches,
      keylessRow: hasKey ? undefined : keylessRow,
    }
  } finally {
    await prefetch.settled()
  }
}

export const tooManyDifferentRows = () =>
  problem('payload_too_large', {
    detail: `The file has more than ${maxDifferentRows} different rows; set \`config.key\` of the data source to a field that identifies them`,
  })
