import type { Row } from '../parsers/row.ts'
import type { ColumnPlan } from './columns/column-plan.ts'
import type { IntakeWarning, RawColumn } from './raw-table.ts'

interface NamedColumns {
  columns: RawColumn[]
  warnings: IntakeWarning[]
}

/**
 * Leaves out the columns of a second table that stands beside the first one, behind an empty column: its rows have
 * nothing to do with those beside them. It begins with the same names again, or one of the two ends earlier.
 * @param rows the first rows below the names
 */
export function withoutTableBeside(named: NamedColumns, rows: readonly { cells: readonly unknown[] }[]): NamedColumns {
  const { columns, warnings } = named
  const { left, right, gap } = sidesOf(columns)
  if (right.length < 2) return named
  const first = right[0]?.column
  const isRepeated =
    first?.repeats === left[0]?.column.name && right.filter(({ column }) => column.repeats !== undefined).length > 1
  const hasValue = (side: typeof left, { cells }: { cells: readonly unknown[] }) =>
    side.some(({ at }) => `${cells[at] ?? ''}`.trim() !== '')
  const filled = [left, right].map((side) => rows.map((row) => hasValue(side, row)))
  const lengths = filled.map((values) => values.lastIndexOf(true) + 1)
  const areFull = filled.every((values, side) => values.slice(0, lengths[side]).every(Boolean))
  if (!isRepeated && !(areFull && lengths[0] !== lengths[1])) return named
  const names = new Set(right.map(({ column }) => column.name))
  const message = `From column "${first?.name}" on, behind an empty column, another table stands. It is not read. To read it too, move it to a sheet or file of its own`
  return {
    columns: columns.slice(0, gap),
    warnings: [
      ...warnings.filter(({ column }) => column === undefined || !names.has(column)),
      { code: 'table_beside', message },
    ],
  }
}

/**
 * Tables beside each other, with an empty column between them, of which one is longer, or each has its times or names.
 */
export function besideWarning(
  columns: readonly RawColumn[],
  plans: readonly ColumnPlan[],
  rows: readonly Row[],
): IntakeWarning[] {
  const sides = sidesOf(columns)
  const [left, right] = [sides.left, sides.right].map((side) => side.map(({ column }) => column.name))
  const last = rows.findLast((row) => 'value' in row)
  if (left === undefined || right === undefined || right.length < 2 || last === undefined || !('value' in last))
    return []
  const isLonger = [left, right].some((side) => side.every((name) => (last.value[name] ?? '') === ''))
  const haveTimes = [left, right].every((side) =>
    plans.some(({ name, type }) => type === 'timestamp' && side.includes(name)),
  )
  const isKey = (side: readonly string[]) => plans.some(({ name, type }) => name === side[0] && type !== 'number')
  const begins = rows.flatMap((row) => ('value' in row ? [row.value[right[0] ?? ''] ?? ''] : [])).filter(Boolean)
  // A column of few texts, such as a currency, is one more of the same table.
  const haveNames = left.length > 1 && isKey(left) && isKey(right) && new Set(begins).size === begins.length
  if (!isLonger && !haveTimes && !haveNames) return []
  const both = haveTimes ? 'both have a column of times' : 'both begin with names or times'
  const reason = isLonger ? `line ${last.line} has values on one side only` : both
  const message = `From column "${right[0]}" on, behind an empty column, another table seems to stand: ${reason}. The rows of both are read as one table. If they are two, move each to a sheet or file of its own`
  return [{ code: 'table_beside', message }]
}

/** Returns the columns before the first empty one, and those behind it. One column behind it is for notes. */
function sidesOf(columns: readonly RawColumn[]) {
  const first = columns.findIndex(({ isDropped }) => !isDropped)
  const found = columns.findIndex(({ isDropped }, at) => at > first && isDropped)
  const gap = found === -1 ? columns.length : found
  const named = columns.flatMap((column, at) => (column.isDropped ? [] : [{ column, at }]))
  return { left: named.filter(({ at }) => at < gap), right: named.filter(({ at }) => at > gap), gap }
}
