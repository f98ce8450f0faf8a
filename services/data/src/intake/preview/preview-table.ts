import { type BadRow, type Preview, previewRows } from '@wp/contracts'
import { serializeRow } from '../../ingest/record-input.ts'
import type { InvalidRow, Row } from '../../parsers/row.ts'
import type { ColumnPlan } from '../columns/column-plan.ts'
import type { OpenedTable } from '../open-table.ts'
import { kindWarnings, suggestColumns } from './suggest-columns.ts'

const maxRefused = 100
/** Different values of a column are counted up to this number. */
const maxDistinct = 20_000
const maxSheets = 100

/** Reads a table and describes how it is read. @param isTruncated true if its last row may be incomplete */
export async function previewTable(table: OpenedTable, isTruncated: boolean): Promise<Preview> {
  const { details, format, warnings } = table
  const seen = createRowSummary(details.plans)
  let pending: Row | undefined
  for await (const batch of table.rows())
    for (const row of batch) {
      if (pending !== undefined) seen.add(pending)
      pending = row
    }
  if (pending !== undefined && !isTruncated) seen.add(pending)
  const { rows, count, refused, refusedCount, distinct } = seen.result()
  const summaries = details.plans.map((plan) => {
    const values = distinct.get(plan.name)
    return { plan, values, distinct: values?.size ?? 0 }
  })
  const suggestions = suggestColumns(summaries, count - refusedCount)
  const { kind, mapping = {} } = suggestions.dataset ?? {}
  const roleColumns = new Set(Object.values(mapping))
  return {
    format: {
      type: format.type ?? 'csv',
      encoding: details.encoding?.name ?? null,
      encoding_confidence: details.encoding?.confidence ?? null,
      delimiter: format.delimiter ?? null,
      header_row: format.header_row ?? null,
      sheet: format.sheet ?? null,
      sheets: details.sheets.slice(0, maxSheets).map((name) => ({ name, rows: name === format.sheet ? count : null })),
      compression: details.compression,
      decimal: format.decimal ?? null,
      thousands: format.thousands ?? null,
    },
    columns: details.plans.map((plan) => toColumn(plan, [...(details.nulls.get(plan.name) ?? [])])),
    rows,
    row_count: count,
    refused,
    refused_count: refusedCount,
    warnings: [
      // Its rows are told apart by the dataset, which needs both.
      ...warnings.filter(
        ({ code, column }) => code !== 'yes_and_no' || (kind !== 'bookings' && !roleColumns.has(column ?? '')),
      ),
      ...kindWarnings(summaries, suggestions),
    ],
    suggestions,
  }
}

function toColumn(plan: ColumnPlan, nulls: string[]): Preview['columns'][number] {
  const { name, type, marks, unit, timestampFormats, timeOfDay, confidence, evidence } = plan
  return {
    name,
    type,
    nulls,
    confidence,
    examples: evidence.examples,
    format: timestampFormats[0] ?? timeOfDay ?? null,
    decimal: marks.decimal ?? null,
    thousands: marks.thousands ?? null,
    unit: unit ?? null,
  }
}

function createRowSummary(plans: readonly ColumnPlan[]) {
  const rows: Record<string, unknown>[] = []
  const refused: BadRow[] = []
  const distinct = new Map(plans.map(({ name }) => [name, new Set<unknown>()]))
  const counted = new Map(distinct)
  let [count, refusedCount] = [0, 0]
  const refuse = (row: InvalidRow): void => {
    refusedCount++
    if (refused.length < maxRefused) refused.push(toBadRow(row))
  }
  return {
    add(row: Row): void {
      count++
      if ('reason' in row) return void refuse(row)
      const content = serializeRow(row.value)
      if ('reason' in content) return void refuse({ line: row.line, reason: content.reason })
      if (rows.length < previewRows) rows.push(row.value)
      for (const [name, values] of counted) {
        if (Object.hasOwn(row.value, name)) values.add(row.value[name])
        if (values.size >= maxDistinct) counted.delete(name)
      }
    },
    result: () => ({ rows, refused, distinct, count, refusedCount }),
  }
}

const toBadRow = ({ line, reason, column, badValue }: InvalidRow): BadRow => ({
  line,
  reason,
  ...(column === undefined ? {} : { column }),
  ...(badValue === undefined ? {} : { value: badValue }),
})
