import type { Row } from '../../../parsers/row.ts'
import type { IntakeWarning, RawColumn } from '../../raw-table.ts'
import { sidesOf } from '../../table-beside.ts'
import type { ColumnPlan } from '../column-plan.ts'

/** Tables beside each other, with an empty column between them, of which one is longer or each has its times. */
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
  if (!isLonger && !haveTimes) return []
  const reason = isLonger ? `line ${last.line} has values on one side only` : 'both have a column of times'
  const message = `From column "${right[0]}" on, behind an empty column, another table seems to stand: ${reason}. The rows of both are read as one table. If they are two, move each to a sheet or file of its own`
  return [{ code: 'table_beside', message }]
}
