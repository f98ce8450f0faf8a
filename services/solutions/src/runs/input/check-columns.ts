import {
  columnMatchKey,
  type FieldError,
  invalidField,
  maxFieldListLength,
  maxSchemaFields,
  nearestName,
  validationProblem,
} from '@wp/contracts'
import { listNames } from '../quote-value.ts'
import type { RunParameters } from './run-input.ts'

type ColumnParameters = Pick<RunParameters, 'timestamp_field' | 'value_field' | 'group_by'>

/** A field in the schema of a source. `inferred` is null for a field that is declared and that no record has. */
interface SchemaField {
  name: string
  inferred?: string | null | undefined
}

/**
 * Checks that the source has the columns of a run. A schema of the maximum length may omit columns; nothing is checked.
 * @throws Problem `validation_failed` for each column that is missing, with the nearest name and the list of columns
 */
export function checkColumns(parameters: ColumnParameters, schema: readonly SchemaField[]): void {
  const length = fieldListOf(parameters).length
  if (length > maxFieldListLength)
    throw invalidField(
      '/value_field',
      `names too many columns for one run (${length} characters of ${maxFieldListLength}): start several runs`,
    )
  if (schema.length >= maxSchemaFields) return
  const columns = schema.filter(({ inferred }) => inferred !== null).map(({ name }) => name)
  if (columns.length === 0)
    throw invalidField('/data_source_id', 'has no records yet: upload records, or wait for the end of its first sync')
  const missing = asked(parameters).filter(({ name }) => !columns.includes(name))
  const errors = missing.map(({ pointer, name }): FieldError => ({ pointer, detail: describe(name, columns) }))
  if (errors.length > 0) throw validationProblem(errors)
}

/**
 * Checks that a run has no group for each person: a pseudonym stands for one.
 * @throws Problem `validation_failed` for each pseudonymized column
 */
export function checkPseudonymizedGroups(
  { group_by: groups }: ColumnParameters,
  { pseudonymize = [] }: { pseudonymize?: readonly string[] | undefined },
): void {
  const keys = new Set(pseudonymize.map(columnMatchKey))
  // A second column of the same name is stored with a number.
  const isPseudonymized = (name: string) =>
    [name, name.replace(/_\d+$/, '')].some((each) => keys.has(columnMatchKey(each)))
  const errors = named('/group_by', groups).flatMap(({ pointer, name }): FieldError[] =>
    isPseudonymized(name)
      ? [
          {
            pointer,
            detail: `"${name}" is pseudonymized: a forecast for each of its values would be one for each person`,
          },
        ]
      : [],
  )
  if (errors.length > 0) throw validationProblem(errors)
}

/** Returns the columns of a run as `readRows` takes them: times, values, groups. */
export const fieldListOf = (parameters: ColumnParameters): string =>
  asked(parameters)
    .map(({ name }) => encodeURIComponent(name))
    .join(',')

const asked = ({ timestamp_field: time, value_field: value, group_by: groups }: ColumnParameters) => [
  ...named('/timestamp_field', time),
  ...named('/value_field', value),
  ...named('/group_by', groups),
]

const named = (pointer: string, names: string | readonly string[] = []): { pointer: string; name: string }[] =>
  typeof names === 'string'
    ? [{ pointer, name: names }]
    : names.map((name, index) => ({ pointer: `${pointer}/${index}`, name }))

function describe(name: string, columns: readonly string[]): string {
  const nearest = nearestName(name, columns)
  const hint = nearest === undefined ? '.' : `; did you mean "${nearest}"?`
  return `"${name}" is not a column of the data source${hint} Its columns are ${listNames(columns)}`
}
