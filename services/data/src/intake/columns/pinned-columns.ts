import type { SourceFormat } from '@wp/contracts'
import {
  countValues,
  findExchangedFormat,
  isUnprovenOrder,
  numbersOf,
  proveDecimal,
  readingOfAmbiguous,
} from '@wp/tabular'
import type { Row } from '../../parsers/row.ts'
import { unexpectedFormat } from '../problems.ts'
import type { IntakeWarning, RawColumn } from '../raw-table.ts'
import type { ColumnPlan } from './column-plan.ts'

/**
 * Further columns may come and go, as the objects of a bucket differ; a table without most of them is another one.
 * @throws Problem `unexpected_format` if the table lacks most of the columns of numbers and times that are pinned
 */
export function checkPinnedColumns(columns: readonly RawColumn[], { columns: pinned = {} }: SourceFormat): void {
  const names = new Set(columns.map(({ name }) => name))
  const typed = Object.entries(pinned).flatMap(([name, { type }]) =>
    type === 'number' || type === 'timestamp' ? [name] : [],
  )
  const missing = typed.filter((name) => !names.has(name))
  if (missing.length * 2 <= typed.length) return
  const found = columns.flatMap(({ name, isDropped }) => (isDropped ? [] : [`"${name}"`]))
  throw unexpectedFormat(
    `It lacks the column ${missing
      .slice(0, maxNames)
      .map((name) => `"${name}"`)
      .join(', ')}; its columns are ${found.slice(0, maxNames).join(', ')}`,
  )
}

const maxNames = 10

/** Says which columns of the files before a table lacks: its rows have no values of them. */
export function lostColumns(columns: readonly RawColumn[], { columns: pinned = {} }: SourceFormat): IntakeWarning[] {
  const names = new Set(columns.map(({ name }) => name))
  return Object.keys(pinned)
    .filter((name) => !names.has(name))
    .slice(0, maxNames)
    .map((column) => ({
      code: 'lost_column',
      column,
      message: `The file lacks the column "${column}", which the files before have. Its rows have no values of it`,
    }))
}

/** Says which dates are read as those of the files before, although they may have day and month the other way round. */
export const unprovenDates = (plans: readonly ColumnPlan[], { columns = {} }: SourceFormat): IntakeWarning[] =>
  plans.flatMap(({ name, evidence, timestampFormats: [format = '', ...others] }) => {
    const isKnown = Object.hasOwn(columns, name) && others.length === 0
    if (!isKnown || evidence.timestamps.styles.size === 0 || !isUnprovenOrder(evidence.timestamps, format)) return []
    const message = `Column "${name}" is read as ${format}, as in the files before, but no day above 12 shows that day and month are in this order. If they are not, change the dates of the file`
    return [{ code: 'assumed_date_order', column: name, message }]
  })

/**
 * @throws Problem `unexpected_format` if most values of a pinned column cannot be read, its numbers have the other
 *   decimal mark, or its dates day and month the other way round
 */
export function checkReadable(plans: readonly ColumnPlan[], rows: readonly Row[], format: SourceFormat): void {
  for (const plan of plans) {
    if (!plan.isPinned || (plan.type !== 'number' && plan.type !== 'timestamp')) continue
    const refused = rows.filter((row) => 'reason' in row && row.column === plan.name)
    const [first] = refused
    if (first !== undefined && 'reason' in first && refused.length * 2 > countValues(plan.evidence))
      throw unexpectedFormat(`Most values of the column "${plan.name}" cannot be read: ${first.reason}`)
    const [pinnedFormat = '', ...others] = plan.timestampFormats
    const exchanged = others.length > 0 ? undefined : findExchangedFormat(plan.evidence.timestamps, pinnedFormat)
    if (exchanged !== undefined)
      throw unexpectedFormat(
        `The dates of the column "${plan.name}", such as "${plan.evidence.examples[0]}", seem to be ${exchanged}, not ${pinnedFormat}`,
      )
    checkAmbiguous(plan, plans, format)
    const proved = plan.type === 'number' ? proveDecimal(numbersOf(plan.evidence)) : undefined
    const pinned = format.columns?.[plan.name]?.decimal ?? format.decimal
    if (pinned !== undefined && (proved === '.' || proved === ',') && proved !== pinned)
      throw unexpectedFormat(
        `The numbers of the column "${plan.name}" have the decimal mark "${proved}", not "${pinned}"`,
      )
  }
}

/**
 * @throws Problem `unexpected_format` if all marks of a column have two readings, of which that of the pinned format
 *   does not fit the files before: decimals where digits were grouped, or groups where they never were
 */
function checkAmbiguous(
  { name, type, evidence, marks }: ColumnPlan,
  plans: readonly ColumnPlan[],
  format: SourceFormat,
) {
  const pinned = format.columns?.[name]
  const numbers = numbersOf(evidence)
  const reading = type === 'number' && pinned !== undefined ? readingOfAmbiguous(numbers, marks) : undefined
  const isGrouped = (pinned?.thousands ?? format.thousands) !== undefined
  if (reading === undefined || pinned?.decimal !== undefined || isGrouped === (reading === 'thousands')) return
  if (plans.some((plan) => plan.type === 'number' && proveDecimal(numbersOf(plan.evidence)) !== undefined)) return
  const [example] = [...numbers.ambiguous['.'].examples, ...numbers.ambiguous[','].examples]
  const others = isGrouped ? 'decimals, while the files before group digits' : 'groups of digits, as in no file before'
  throw unexpectedFormat(
    `The numbers of the column "${name}", such as "${example}", would have ${others}. If that is right, set \`decimal\` and \`thousands\` of \`format.columns["${name}"]\``,
  )
}
