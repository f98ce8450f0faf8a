import { scanNumber, scanTimestamp } from '@wp/tabular'
import type { InvalidRow, Row } from '../../parsers/row.ts'
import { unexpectedFormat } from '../problems.ts'
import type { ColumnPlan } from './column-plan.ts'

/** Fewer rows do not show that most of a column cannot be read. */
const minRows = 1_000

/**
 * Creates the check of the rows after those that decided about the columns.
 * @throws Problem `unexpected_format`, from the check, if a value contradicts a decision that the first rows did not
 *   prove, or if most values of a column cannot be read
 */
export function createLateCheck(plans: readonly ColumnPlan[]): (rows: readonly Row[]) => void {
  const assumed = new Map(plans.filter(({ confidence }) => confidence < 1).map((plan) => [plan.name, plan]))
  const refused = new Map<string, number>()
  let count = 0
  return (rows) => {
    count += rows.length
    for (const row of rows) {
      if (!('reason' in row) || row.column === undefined) continue
      const plan = assumed.get(row.column)
      if (plan !== undefined && contradicts(plan, row))
        throw unexpectedFormat(
          `Line ${row.line}: ${row.reason}, so the format that the first rows suggest is wrong. Set the format of the column`,
        )
      const refusedRows = (refused.get(row.column) ?? 0) + 1
      refused.set(row.column, refusedRows)
      if (count >= minRows && refusedRows * 2 > count)
        throw unexpectedFormat(`Most values of the column "${row.column}" cannot be read: ${row.reason}`)
    }
  }
}

/** Returns true if the value is of the type of the column, but in another format. */
const contradicts = ({ type }: ColumnPlan, { badValue = '' }: InvalidRow): boolean =>
  type === 'number' ? scanNumber(badValue.trim()) !== undefined : scanTimestamp(badValue.trim()) !== undefined
