import type { BadRow, SyncCounts } from '@wp/contracts'
import type { Row } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { mergeTypeMismatches, type StoredTypeMismatches } from '../store/sources/observed-fields.ts'
import { addToBatch, type Batch, createBatch, isBatchFull, maxBadRows, prepareRow } from './batch.ts'
import { createPrefetch } from './prefetch.ts'
import type { FieldMapping } from './record-input.ts'

/** Stores a batch. Returns the numbers of created and changed records. */
export type StoreBatch = (batch: Batch) => Promise<{ created: number; updated: number }>

export interface IngestResult {
  counts: SyncCounts
  /** The first `maxBadRows` rejected rows. */
  badRows: BadRow[]
  typeMismatches: StoredTypeMismatches
}

/**
 * Converts rows to records and stores them in batches. Reads the next batch while one is stored, never more, so memory
 * use does not depend on the number of rows.
 *
 * @throws the error of reading or storing; the batches before it remain stored
 */
export async function ingestRows(
  rows: AsyncIterable<Row[]>,
  config: FieldMapping & FieldDeclarations,
  store: StoreBatch,
): Promise<IngestResult> {
  const counts = { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 }
  const badRows: BadRow[] = []
  const prefetch = createPrefetch()
  let typeMismatches: StoredTypeMismatches = {}
  let batch = createBatch(config)

  function addRow(row: Row): void {
    counts.seen++
    const prepared = prepareRow(row, config)
    if ('record' in prepared) addToBatch(batch, prepared)
    else {
      counts.failed++
      if (badRows.length < maxBadRows) badRows.push(prepared.badRow)
    }
  }

  async function storeBatch(full: Batch): Promise<void> {
    const { created, updated } = await store(full)
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
        await prefetch.start(() => storeBatch(full))
        batch = createBatch(config)
      }
    await prefetch.done()
    if (batch.records.length > 0) await storeBatch(batch)
    return { counts, badRows, typeMismatches }
  } finally {
    await prefetch.settled()
  }
}
