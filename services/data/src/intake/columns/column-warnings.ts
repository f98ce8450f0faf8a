import type { IntakeWarning } from '../raw-table.ts'
import type { ColumnPlan } from './column-plan.ts'

/** Returns what a user should know about the decisions. */
export function columnWarnings(plans: readonly ColumnPlan[], rows: number): IntakeWarning[] {
  return plans.flatMap((plan): IntakeWarning[] => {
    const { decision, name: column } = plan
    const [null_] = possibleNulls(plan, rows)
    const warnings: IntakeWarning[] = []
    if (null_ !== undefined)
      warnings.push({
        code: 'possible_null',
        column,
        message: `Column "${column}" is never negative but for ${null_}, which may stand for no value. If so, add it to \`format.nulls\``,
      })
    if (decision.outcome === 'string' && decision.note !== undefined)
      warnings.push({
        code: 'kept_as_text',
        column,
        message: `Column "${column}" is kept as text: ${notes[decision.note]}`,
      })
    if (decision.outcome === 'string' && decision.note === undefined && !plan.isPinned && isMostlyNumbers(plan))
      warnings.push({
        code: 'kept_as_text',
        column,
        message: `Column "${column}" is kept as text: its numbers have other signs, such as "${exampleOf(plan)}", so forecasts cannot use it. Remove the signs from the file to have numbers`,
      })
    if (decision.outcome === 'timestamp' && hasSomeOffsets(plan))
      warnings.push({
        code: 'mixed_offsets',
        column,
        message: `Column "${column}" has times with an offset from UTC and times without one; those without are times of the time zone that a forecast names`,
      })
    if (decision.outcome === 'timestamp' && decision.basis !== undefined && bases[decision.basis] !== undefined)
      warnings.push({
        code: 'assumed_date_order',
        column,
        message: `Column "${column}" is read as ${decision.format}: ${bases[decision.basis]}. If this is wrong, set \`format.timestamp_formats\``,
      })
    return warnings
  })
}

const notes = {
  leading_zeros: 'it has numbers with leading zeros',
  too_many_digits: 'it has numbers with more digits than a number holds exactly',
  versions: 'its numbers look like versions',
  addresses: 'its numbers look like IP addresses',
  identifiers: 'its numbers look like identifiers',
} as const

const minNumberShare = 0.9

/**
 * Returns true if most values of a column are numbers, or would be without a currency, a unit, brackets or the like.
 */
export function isMostlyNumbers({ evidence }: ColumnPlan): boolean {
  const { cells, errors, numbers, markedNumbers, nulls } = evidence
  const values = cells - [...nulls.values()].reduce((sum, count) => sum + count, 0)
  const numeric = numbers.numbers + markedNumbers + errors
  return values > 0 && numeric > errors && numeric >= minNumberShare * values
}

const exampleOf = ({ evidence }: ColumnPlan): string =>
  evidence.examples.find((text) => !/^[-\d.,]*$/.test(text)) ?? evidence.examples[0] ?? ''

function hasSomeOffsets({ evidence }: ColumnPlan): boolean {
  const formats = [...evidence.timestamps.styles.values()].flatMap(({ timeFormats }) => [...timeFormats.keys()])
  const ofTimes = formats.filter((format) => format !== '')
  return ofTimes.some((format) => format.endsWith('Z')) && ofTimes.some((format) => !format.endsWith('Z'))
}

const bases: Readonly<Record<string, string | undefined>> = {
  points: 'dates with points have the day first',
  columns: 'other columns of dates have this order',
  sequence: 'only so the dates follow each other without gaps',
}

const placeholders = /^[-−](?:1|9{1,5})(?:[.,]0+)?$/

/** Returns negative numbers such as -1 or -999 that alone are negative in their column, and repeated. */
export function possibleNulls({ type, evidence }: ColumnPlan, rows: number): string[] {
  if (type !== 'number' || evidence.negatives.size !== 1) return []
  return [...evidence.negatives].flatMap(([text, count]) =>
    placeholders.test(text) && count >= 3 && count < rows && evidence.numbers.negative === count ? [text] : [],
  )
}
