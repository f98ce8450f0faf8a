import type { Row } from '../../../parsers/row.ts'
import type { IntakeWarning, RawColumn } from '../../raw-table.ts'

/** Tables beside each other, with an empty column between them, of which one is longer. */
export function besideWarning(columns: readonly RawColumn[], rows: readonly Row[]): IntakeWarning[] {
  const first = columns.findIndex(({ isDropped }) => !isDropped)
  const gap = columns.findIndex(({ isDropped }, at) => at > first && isDropped)
  const named = (side: readonly RawColumn[]) => side.filter(({ isDropped }) => !isDropped).map(({ name }) => name)
  const [left, right] = [named(columns.slice(0, gap)), named(columns.slice(gap))]
  const last = rows.findLast((row) => 'value' in row)
  // One column behind an empty one is for notes.
  if (gap === -1 || right.length < 2 || last === undefined || !('value' in last)) return []
  const hasValue = (name: string) => (last.value[name] ?? '') !== ''
  if (left.some(hasValue) && right.some(hasValue)) return []
  const message = `From column "${right[0]}" on, behind an empty column, another table seems to stand: line ${last.line} has values on one side only. The rows of both are read as one table. If they are two, move each to a sheet or file of its own`
  return [{ code: 'table_beside', message }]
}
