import type { BadRow, SyncCounts } from '@wp/contracts'
import { inPlace, type Row } from '../rows/row.ts'
import type { Declarations } from '../schema/declared.ts'
import { mergeMisfits, type Seen, type StoredMisfits, takeNote } from '../schema/drift.ts'
import { type Draft, draftOf, type FieldRoles } from './draft.ts'

/** Rows that are stored together. */
export interface Batch {
  drafts: Draft[]
  /** What their fields hold. */
  seen: Seen
}

/** Stores a batch; answers how many records it created and how many it changed. */
export type StoreBatch = (batch: Batch) => Promise<{ created: number; updated: number }>

export interface Ingested {
  counts: SyncCounts
  /** The first ones. */
  badRows: BadRow[]
  /** What is not as the config declares it. */
  misfits: StoredMisfits
}

const maxBatchRows = 1000
const maxBatchLength = 4 * 1024 * 1024
const maxBadRows = 100

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
  let misfits: StoredMisfits = {}
  let batch = emptyBatch(config)
  let storing: Promise<void> = Promise.resolve()

  function take(row: Row): void {
    counts.seen++
    if ('reason' in row) return void refuse(row)
    const draft = draftOf(row.value, config)
    if ('reason' in draft) return void refuse({ line: row.line, reason: inPlace(row, draft.reason) })
    batch.drafts.push(draft)
    batch.length += draft.json.length
    batch.seen.note(row.value)
  }

  function refuse({ line, reason }: BadRow): void {
    counts.failed++
    if (badRows.length < maxBadRows) badRows.push({ line, reason })
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
        await storing
        storing = flush(batch)
        // Heard when it is awaited; until then a failure waits.
        storing.catch(() => undefined)
        batch = emptyBatch(config)
      }
    await storing
    if (batch.drafts.length > 0) await flush(batch)
    return { counts, badRows, misfits }
  } finally {
    await storing.catch(() => undefined)
  }
}

const emptyBatch = (config: Declarations): Batch & { length: number } => ({
  drafts: [],
  seen: takeNote(config),
  length: 0,
})

const isFull = ({ drafts, length }: ReturnType<typeof emptyBatch>) =>
  drafts.length >= maxBatchRows || length >= maxBatchLength
