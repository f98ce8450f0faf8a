import type { BadRow, SyncCounts } from '@wp/contracts'
import type { Row } from '../rows/row.ts'
import type { Declarations } from '../schema/declared.ts'
import { mergeMisfits, type StoredMisfits } from '../schema/drift.ts'
import { addTo, type Batch, beginBatch, isFull, maxBadRows, takeRow } from './batch.ts'
import type { FieldRoles } from './draft.ts'
import { oneAhead } from './one-ahead.ts'

/** Stores a batch; answers how many records it created and how many it changed. */
export type StoreBatch = (batch: Batch) => Promise<{ created: number; updated: number }>

export interface Ingested {
  counts: SyncCounts
  /** The first ones. */
  badRows: BadRow[]
  /** What is not as the config declares it. */
  misfits: StoredMisfits
}

/**
 * Makes records of rows and stores them in batches. While one batch is being stored the next is read, never more: the
 * memory stays flat however much there is.
 *
 * @throws what reading or storing throws; the batches before it stay stored
 */
export async function ingest(
  rows: AsyncIterable<Row[]>,
  config: FieldRoles & Declarations,
  store: StoreBatch,
): Promise<Ingested> {
  const counts = { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 }
  const badRows: BadRow[] = []
  const storing = oneAhead()
  let misfits: StoredMisfits = {}
  let batch = beginBatch(config)

  function take(row: Row): void {
    counts.seen++
    const taken = takeRow(row, config)
    if ('draft' in taken) addTo(batch, taken)
    else refuse(taken.bad)
  }

  function refuse(bad: BadRow): void {
    counts.failed++
    if (badRows.length < maxBadRows) badRows.push(bad)
  }

  async function flush(full: Batch): Promise<void> {
    const { created, updated } = await store(full)
    misfits = mergeMisfits(misfits, full.seen.misfits)
    counts.created += created
    counts.updated += updated
  }

  try {
    for await (const some of rows)
      for (const row of some) {
        take(row)
        if (!isFull(batch)) continue
        const full = batch
        await storing.begin(() => flush(full))
        batch = beginBatch(config)
      }
    await storing.done()
    if (batch.drafts.length > 0) await flush(batch)
    return { counts, badRows, misfits }
  } finally {
    await storing.settled()
  }
}
