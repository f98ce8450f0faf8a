import type { BadRow, SyncCounts } from '@wp/contracts'
import type { Row } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { mergeTypeMismatches, type StoredTypeMismatches } from '../schema/drift.ts'
import { addToBatch, type Batch, createBatch, isBatchFull, maxBadRows, prepareRow } from './batch.ts'
import { createPrefetch } from './prefetch.ts'
import type { FieldMapping } from './record-input.ts'

/** Stores a batch; answers how many records it created and how many it changed. */
export type StoreBatch = (batch: Batch) => Promise<{ created: number; updated: number }>

export interface IngestResult {
  counts: SyncCounts
  /** The first ones. */
  badRows: BadRow[]
  /** What is not as the config declares it. */
  typeMismatches: StoredTypeMismatches
}

/**
 * Makes records of rows and stores them in batches. While one batch is being stored the next is read, never more: the
 * memory stays flat however much there is.
 *
 * @throws what reading or storing throws; the batches before it stay stored
 */
export async function ingestRows(
  rows: AsyncIterable<Row[]>,
  config: FieldMapping & FieldDeclarations,
  store: StoreBatch,
): Promise<IngestResult> {
  const counts = { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 }
  const badRows: BadRow[] = []
  const storing = createPrefetch()
  let typeMismatches: StoredTypeMismatches = {}
  let batch = createBatch(config)

  function take(row: Row): void {
    counts.seen++
    const taken = prepareRow(row, config)
    if ('record' in taken) addToBatch(batch, taken)
    else refuse(taken.badRow)
  }

  function refuse(bad: BadRow): void {
    counts.failed++
    if (badRows.length < maxBadRows) badRows.push(bad)
  }

  async function flush(full: Batch): Promise<void> {
    const { created, updated } = await store(full)
    typeMismatches = mergeTypeMismatches(typeMismatches, full.observer.typeMismatches)
    counts.created += created
    counts.updated += updated
  }

  try {
    for await (const some of rows)
      for (const row of some) {
        take(row)
        if (!isBatchFull(batch)) continue
        const full = batch
        await storing.start(() => flush(full))
        batch = createBatch(config)
      }
    await storing.done()
    if (batch.records.length > 0) await flush(batch)
    return { counts, badRows, typeMismatches }
  } finally {
    await storing.settled()
  }
}
