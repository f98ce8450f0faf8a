import { malformed } from '../problems.ts'
import type { ColumnPlan } from './column-plan.ts'

/** With fewer values, days up to the 12th alone are a coincidence. */
const minValues = 3

/**
 * Refuses columns of which a spreadsheet program has read the dates wrong. A program that expects the day first makes
 * 5 January of the American `05/01/2026`, and leaves `01/13/2026` as text, which is no date to it. So such a column has
 * real dates up to the 12th of a month only, and texts for later days only.
 * @throws Problem `malformed_body` unless the format of the column is pinned
 */
export function checkExchangedDates(plans: readonly ColumnPlan[]): void {
  for (const { name, type, evidence, isPinned } of plans) {
    const styles = [...evidence.timestamps.styles.values()]
    const texts = styles.reduce((sum, { count }) => sum + count, 0)
    const isMixed = evidence.typed.timestamp >= minValues && texts >= minValues && evidence.typedLateDays === 0
    if (type !== 'timestamp' || isPinned || !isMixed) continue
    if (!styles.every(({ count, orders }) => orders.DMY.invalid === count || orders.MDY.invalid === count)) continue
    const example = styles[0]?.examples[0] ?? ''
    throw malformed(
      `Column "${name}" has dates up to the 12th of a month only, and later days as text, such as "${example}": the ` +
        'program that opened the original file has probably exchanged day and month. Send the original file, or import it ' +
        `again with the right order of dates. If the dates are right, state their format in \`format.timestamp_formats\``,
    )
  }
}
