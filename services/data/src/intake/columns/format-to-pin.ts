import type { SourceFormat } from '@wp/contracts'
import { countValues } from '@wp/tabular'
import type { RawTable } from '../raw-table.ts'
import type { ColumnPlan } from './column-plan.ts'

/** Limits of the contract. */
const maxPinnedColumns = 500

type Marks = Pick<SourceFormat, 'decimal' | 'thousands'>

/**
 * Returns the whole format of a table, to be stored with its source. What was known stays as it was, but the sheet and
 * the line of the header are those of the file. Words that every column of numbers reads as no value are not pinned:
 * `NA` may name a person in another column.
 */
export function formatToPin(
  container: RawTable['format'],
  known: SourceFormat,
  plans: readonly ColumnPlan[],
): SourceFormat {
  const file = fileMarks(known, plans)
  const pinned = plans.filter((plan) => isPinnable(plan, known)).slice(0, maxPinnedColumns)
  const formats = Object.fromEntries(
    pinned.flatMap(({ name, type, decision, timestampFormats: [first] }) =>
      type === 'timestamp' && first !== undefined && decision.outcome !== 'ambiguousOrder' ? [[name, first]] : [],
    ),
  )
  return {
    ...container,
    ...known,
    ...(container.header_row === undefined ? {} : { header_row: container.header_row }),
    ...(container.sheet === undefined ? {} : { sheet: container.sheet }),
    ...file,
    timestamp_formats: Array.isArray(known.timestamp_formats)
      ? known.timestamp_formats
      : { ...known.timestamp_formats, ...formats },
    columns: {
      ...known.columns,
      ...Object.fromEntries(pinned.map((plan) => [plan.name, columnFormat(plan, file, known)])),
    },
  }
}

/** A column without values does not show its type; names of other lengths are not allowed by the contract. */
const isPinnable = ({ name, evidence }: ColumnPlan, { columns = {} }: SourceFormat): boolean =>
  name !== '' && name.length <= 200 && (countValues(evidence) > 0 || Object.hasOwn(columns, name))

/** Returns the marks of the file: the known ones, else those of most columns. */
function fileMarks(known: SourceFormat, plans: readonly ColumnPlan[]): Marks {
  const numbers = plans.filter(({ type }) => type === 'number').map(({ marks }) => marks)
  const decimal = known.decimal ?? mostFrequent(numbers.map((marks) => marks.decimal))
  const thousands = known.thousands ?? mostFrequent(numbers.map((marks) => marks.thousands))
  return {
    ...(decimal === undefined ? {} : { decimal }),
    ...(thousands === undefined || thousands === decimal ? {} : { thousands }),
  }
}

function columnFormat({ name, type, marks, unit }: ColumnPlan, file: Marks, known: SourceFormat) {
  const pinned = known.columns?.[name]
  const decimal = pinned?.decimal ?? (marks.decimal === file.decimal ? undefined : marks.decimal)
  const thousands = pinned?.thousands ?? (marks.thousands === file.thousands ? undefined : marks.thousands)
  return {
    type: pinned?.type ?? type,
    ...(decimal === undefined ? {} : { decimal }),
    ...(thousands === undefined ? {} : { thousands }),
    ...(unit === undefined ? {} : { unit }),
  }
}

function mostFrequent<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  const counts = new Map<Value, number>()
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
