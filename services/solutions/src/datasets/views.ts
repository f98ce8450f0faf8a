import { solutions } from '@wp/contracts'
import { viewOf } from '@wp/database'
import { type Job, jobFields } from '@wp/jobs'
import type { z } from 'zod'
import { type Dataset, withoutLength } from '../store/datasets.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { besideMissing } from './import-spaces.ts'
import type { RefreshInput } from './refresh-requests.ts'

type DatasetView = z.input<typeof solutions.getDataset.ok>

/** The parts of a dataset's view beside its row. */
export interface DatasetSummary {
  range: { first: string; last: string } | null
  /** Rows whose space or team is not known, by reason. */
  unmapped: readonly { reason: string; rows: number; example: string | null }[]
  gaps: DatasetView['gaps']
}

export function datasetView(row: Dataset, { range, unmapped, gaps }: DatasetSummary): DatasetView {
  const unreadable = Object.entries(row.unusedRows).map(([reason, { rows, example }]) => ({ reason, rows, example }))
  const isUsed = ({ reason }: { reason: string }) =>
    reason.startsWith('opening_hours_') || reason === withoutLength || reason === besideMissing
  const incomplete = unreadable.filter(isUsed)
  const others = unreadable.filter((one) => !isUsed(one))
  const byReason = Map.groupBy([...others, ...unmapped], ({ reason }) => reason)
  const unused = [...byReason]
    .map(([reason, same]) => ({
      reason,
      rows: same.reduce((sum, { rows }) => sum + rows, 0),
      example: same[0]?.example ?? null,
    }))
    .sort((a, b) => b.rows - a.rows)
  return viewOf(solutions.getDataset.ok, row, {
    rows: {
      read: row.rowsRead,
      used: Math.max(0, row.rowsRead - unused.reduce((sum, { rows }) => sum + rows, 0)),
      unused,
      ...(incomplete.length > 0 && { incomplete }),
    },
    gaps,
    since: range?.first ?? null,
    until: range === null ? null : dateOf(dayOf(range.last) + 1),
  })
}

export const refreshView = (job: Job): z.input<typeof solutions.getDatasetRefresh.ok> => ({
  id: job.id,
  dataset_id: (job.input as RefreshInput).datasetId, // written by requestRefresh and the operation
  ...jobFields(job),
  counts: { changes: changesOf(job.result) ?? changesOf(job.detail) ?? 0 },
})

/** Returns the changes of a result or of the progress. */
function changesOf(counts: unknown): number | undefined {
  const changes = (counts as { changes?: unknown } | null)?.changes // both are written by refreshDataset
  return typeof changes === 'number' ? changes : undefined
}
