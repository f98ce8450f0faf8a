import type { Row, ValidRow } from '../../../parsers/row.ts'
import type { IntakeWarning, Remark } from '../../raw-table.ts'
import type { ColumnPlan } from '../column-plan.ts'
import { crossTableWarning, findCrossColumns } from './cross-table.ts'
import { keptAsText, numbersAndWords, possibleNull } from './number-warnings.ts'
import { rowWarnings } from './row-warnings.ts'
import { findSplitDate } from './split-dates.ts'
import {
  assumedOrder,
  convertedDates,
  datesAndOthers,
  distantYears,
  mixedOffsets,
  standardTimeInSummer,
  statedOffset,
  unreadClock,
  unreadTimes,
} from './time-warnings.ts'

/**
 * Returns what a user should know about the decisions.
 * @param rows the first rows as they are read
 * @param hidesValues leaves out examples of values
 */
export function columnWarnings(
  plans: readonly ColumnPlan[],
  rows: readonly Row[],
  hidesValues = false,
): IntakeWarning[] {
  const ofTable = crossTableWarning(plans)
  // Warnings of values say nothing without them.
  if (hidesValues) return ofTable
  const hasTimes = plans.some(({ type }) => type === 'timestamp')
  const hasNumbers = plans.some(({ type }) => type === 'number')
  const crossed = new Set(findCrossColumns(plans)?.names)
  const split = findSplitDate(plans)
  const ofColumns = plans.flatMap((plan): IntakeWarning[] => {
    if (crossed.has(plan.name)) return []
    const remarks = [
      possibleNull(plan, rows.length),
      keptAsText(plan) ?? (hasTimes ? numbersAndWords(plan, rows) : undefined),
      ...(plan.type === 'timestamp'
        ? [
            ...[statedOffset(plan), mixedOffsets(plan), assumedOrder(plan), convertedDates(plan)],
            ...[distantYears(plan, rows), standardTimeInSummer(plan, rows)],
          ]
        : []),
      ...(split?.names.includes(plan.name)
        ? []
        : [hasTimes ? (datesAndOthers(plan) ?? unreadClock(plan)) : unreadTimes(plan)]),
      ...(hasTimes && !hasNumbers ? [yesAndNo(plan)] : []),
    ]
    return remarks.flatMap((remark) => {
      if (remark === undefined) return []
      const [code, text] = remark
      return [{ code, column: plan.name, message: `Column "${plan.name}" ${text}` }]
    })
  })
  const ofDates = split === undefined ? [] : [split.warning]
  return [
    ...ofTable,
    ...repeatedHeader(rows),
    ...splitColumn(plans, rows),
    ...ofDates,
    ...ofColumns,
    ...rowWarnings(plans, rows),
  ]
}

/** The names of columns below the first rows: another table, whose rows would be added to those of the first. */
function repeatedHeader(rows: readonly Row[]): IntakeWarning[] {
  const repeated = rows.find((row) =>
    'value' in row ? namesColumns(row.value) : row.column !== undefined && row.badValue === row.column,
  )
  if (repeated === undefined) return []
  const message = `Line ${repeated.line} repeats the names of the columns: another table may begin there. The rows of both are read as one table, and values of one day are added up. If they are of different buildings, upload each as a file of its own`
  return [{ code: 'repeated_header', message }]
}

/** Returns true for a row with names of columns alone, each in its column. */
function namesColumns(value: ValidRow['value']): boolean {
  const filled = Object.entries(value).filter(([, cell]) => (cell ?? '') !== '')
  return (
    filled.length > 0 && filled.length * 2 > Object.keys(value).length && filled.every(([name, cell]) => cell === name)
  )
}

/** A column of which rows have the name with other capitals or spaces, as JSON may. */
function splitColumn(plans: readonly ColumnPlan[], rows: readonly Row[]): IntakeWarning[] {
  const filled = plans.filter(({ evidence }) => evidence.cells > 0)
  const alike = [...Map.groupBy(filled, ({ name }) => name.trim().toLowerCase()).values()].find(
    (group) =>
      group.length > 1 &&
      !rows.some((row) => 'value' in row && group.filter(({ name }) => (row.value[name] ?? '') !== '').length > 1),
  )
  if (alike === undefined) return []
  const names = alike.map(({ name }) => `"${name}"`).join(' and ')
  const message = `The columns ${names} differ in capitals or spaces only, and no row has several of them: they seem to be one. Write its name alike in all rows`
  return [{ code: 'split_column', message }]
}

/** A count of rows would count those with no as well. */
function yesAndNo(plan: ColumnPlan): Remark {
  if (!isYesOrNo(plan)) return undefined
  const advice =
    plan.type === 'boolean'
      ? 'Count the values of this column, which counts those with yes'
      : 'Upload only the rows that are to be counted'
  return ['yes_and_no', `says yes or no: a count of the rows counts both. ${advice}`]
}

const yesOrNo =
  /^(?:yes|no|y|n|true|false|ja|nein|j|wahr|falsch|oui|non|vrai|faux|s[ií]|present|absent|anwesend|abwesend)$/i

/** Returns true if all values of a column say yes or no. */
export const isYesOrNo = ({ type, evidence: { examples } }: ColumnPlan): boolean =>
  type === 'boolean' || (type === 'string' && examples.length > 0 && examples.every((text) => yesOrNo.test(text)))
