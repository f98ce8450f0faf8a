import { Problem, problem } from '@wp/contracts'
import type { Ambiguity } from '@wp/tabular'
import type { RowProtection } from '../privacy/row-protection.ts'

/** The file is not of the format that is pinned. @param difference as a sentence without its end */
export const unexpectedFormat = (difference: string): Problem =>
  problem('unexpected_format', {
    detail: `${difference}. Correct the file, or change \`config.format\` of the data source`,
  })

/** The file may have the values of a protected column under another name. Quotes nothing of the file. */
export const lacksProtectedColumn = (column: string): Problem =>
  problem('unexpected_format', { detail: `It ${lackOf(column)}`, extra: { missing_column: column } })

/**
 * Asserts that a document may be stored: it has no columns, and may have the values of protected ones anywhere.
 * @throws Problem `unexpected_format` if columns are protected
 */
export function assertDocumentAllowed(protection: RowProtection | undefined): void {
  if (protection?.hasColumns === true)
    throw unexpectedFormat(
      'It is a document without columns, but the data source pseudonymizes or drops columns, so its text could have their values',
    )
}

/** Says that a file or query result lacks a protected column, as the end of a sentence. */
export const lackOf = (column: string): string =>
  `lacks the column "${column}", which the data source pseudonymizes or drops; it may have the values under another name. Name the column as before`

export const malformed = (detail: string): Problem => problem('malformed_body', { detail })

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'unknown fault'

/** Reports an error of a library as a fault of the file. @param fault such as `The archive is damaged` */
export async function reportFaults<Result>(fault: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw malformed(`${fault}: ${messageOf(error)}`)
  }
}

/** The values of columns have two readings each. */
export function ambiguousFormat(ambiguities: readonly Ambiguity[]): Problem {
  const errors = ambiguities.slice(0, maxListed).map((ambiguity) => ({
    pointer: `/columns/${ambiguity.column.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    detail: describe(ambiguity),
  }))
  const [first] = ambiguities
  return problem('ambiguous_format', {
    detail: `Column "${first?.column}" ${first === undefined ? '' : describe(first)}`,
    errors,
    extra: { questions: ambiguities.slice(0, maxListed).map(toQuestion) },
  })
}

/** Returns an ambiguity as data: each reading with the part of a format that chooses it. */
function toQuestion({ column, kind, settings, values }: Ambiguity) {
  return {
    column,
    type: kind === 'number' ? 'number' : 'timestamp',
    readings: settings.map((setting, index) => ({
      format: kind === 'number' ? numberSetting(column, setting) : { timestamp_formats: { [column]: setting } },
      values: values.map(({ text, readings }) => {
        const reading = readings[index] ?? ''
        return { value: text, reading: kind === 'number' ? Number(reading) : reading }
      }),
    })),
  }
}

const numberSetting = (column: string, decimal: string) => ({
  columns: { [column]: { type: 'number', decimal, thousands: decimal === '.' ? ',' : '.' } },
})

const maxListed = 20

function describe({ column, kind, settings, values }: Ambiguity): string {
  const examples = values.map(({ text, readings }) => `"${text}" is ${readings.join(' or ')}`).join('; ')
  const choices =
    kind === 'number'
      ? `\`format.decimal\` to ${settings.map((mark) => `"${mark}"`).join(' or ')}, or \`format.columns["${column}"].type\` to "string" for text`
      : `\`format.timestamp_formats["${column}"]\` to ${settings.map((format) => `"${format}"`).join(' or ')}`
  const problemText = kind === 'number' ? 'has numbers with two readings' : 'has dates with two readings'
  return `${problemText}: ${examples}. Set ${choices}`
}
