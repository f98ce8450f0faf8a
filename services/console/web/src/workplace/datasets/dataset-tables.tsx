import { formatNumber } from '../../ui/format/format.ts'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { Card } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { type Dataset, describeReason } from './dataset-words.ts'

type UnusedRow = Dataset['rows']['unused'][number]
type Gap = Dataset['gaps'][number]

const unusedColumns: readonly Column<UnusedRow>[] = [
  { header: 'Reason', cell: ({ reason }) => describeReason(reason) },
  { header: 'Rows', align: 'end', cell: ({ rows }) => formatNumber(rows) },
  { header: 'For example', cell: ({ example }) => example ?? '–' },
]

/** Rows of a file that are not counted, or not as a whole, by reason. */
export const UnusedRows = ({ title, rows = [] }: { title: string; rows: readonly UnusedRow[] | undefined }) =>
  rows.length === 0 ? null : (
    <Card title={title} isFlush>
      <DataTable label={title} columns={unusedColumns} rows={rows} rowKey={({ reason }) => reason} empty={null} />
    </Card>
  )

const dayMs = 86_400_000
const gapColumns = (formatDay: (day: string) => string): readonly Column<Gap>[] => [
  { header: 'Reader or counter', cell: ({ value }) => value },
  { header: 'Silent from', cell: ({ since }) => formatDay(since) },
  // The day after the last one.
  { header: 'To', cell: ({ until }) => formatDay(new Date(Date.parse(until) - dayMs).toISOString()) },
  { header: 'Missing rows, about', align: 'end', cell: ({ expected_rows: rows }) => formatNumber(rows) },
]

/** Readers and counters that told nothing while the others did: figures of these days are too low. */
export function SilentReaders({ gaps }: { gaps: readonly Gap[] }) {
  const formatDay = useWordFormat('shortWeekday', 'UTC')
  return gaps.length === 0 ? null : (
    <Card
      title="Readers that were silent"
      description="On these days the others had data and these had none, so figures may be too low."
      isFlush
    >
      <DataTable
        label="Readers that were silent"
        columns={gapColumns(formatDay)}
        rows={gaps}
        rowKey={({ value, since }) => `${value} ${since}`}
        empty={null}
      />
    </Card>
  )
}
