import { type Problem, problem } from '@wp/contracts'
import type { Row } from '../parsers/row.ts'
import type { StoredFields } from '../store/sources/observed-fields.ts'
import { type FieldMapping, lacksKeyValue } from './record-input.ts'

const maxNames = 10

/** Creates the error of a file or page none of whose rows has the key of its record. @param row one of them */
export const lacksKey = (keyField: string, row: Readonly<Record<string, unknown>>): Problem =>
  problem('unexpected_format', {
    detail: `No row has a value for the key field "${keyField}"; the fields are ${listNames(Object.keys(row))}`,
  })

/**
 * Asserts that rows are those of their source, which an error message in place of them is not.
 * @throws Problem `unexpected_format`
 */
export function assertKnownFields(mapping: FieldMapping, known: StoredFields, found: Iterable<string>): void {
  const [names, knownNames] = [[...found], known.map(([name]) => name)]
  if (knownNames.length > 0 && names.length > 0 && !createFieldsCheck(mapping, knownNames)(names))
    throw lacksFields(knownNames, names)
}

/** Returns the test of the names of a row: it has a field of the records, beside the key if it looks like an error. */
function createFieldsCheck(mapping: FieldMapping, known: readonly string[]): (names: readonly string[]) => boolean {
  const key = mapping.key ?? ''
  const others = new Set(known.filter((name) => name !== key))
  return (names) =>
    names.some((name) => others.has(name)) ||
    (known.includes(key) && names.includes(key) && (others.size === 0 || !names.some((name) => errorNames.test(name))))
}
const errorNames = /^(?:errors?|message|fault|exception)(?:$|[_A-Z])/

const lacksFields = (known: readonly string[], names: readonly string[]): Problem =>
  problem('unexpected_format', {
    detail: `The rows have the fields ${listNames(names)}, but the records of the data source have ${listNames(known)}`,
  })

const listNames = (names: readonly string[]): string =>
  names
    .slice(0, maxNames)
    .map((name) => `"${name.slice(0, 100)}"`)
    .join(', ') + (names.length > maxNames ? ` and ${names.length - maxNames} more` : '')

/** Recognizes rows that are not the rows of their source, such as an error message in place of them. */
export interface RowsCheck {
  add(rows: readonly Row[]): void
  /** Checks the rows so far. @throws Problem `unexpected_format` if none has a key, or none a known field */
  assert(): void
}

/**
 * Creates the check of one page or file.
 * @param known fields of the records of the source; none to check only the key
 */
export function createRowsCheck(mapping: FieldMapping, known: StoredFields): RowsCheck {
  const knownNames = known.map(([name]) => name)
  const hasKnownField = createFieldsCheck(mapping, knownNames)
  let isKnown = knownNames.length === 0
  let hasKey = !mapping.key
  let first: Readonly<Record<string, unknown>> | undefined
  return {
    add(rows) {
      if (isKnown && hasKey) return
      for (const row of rows) {
        if ('reason' in row) continue
        first ??= row.value
        hasKey ||= !lacksKeyValue(row.value, mapping)
        isKnown ||= hasKnownField(Object.keys(row.value))
        if (isKnown && hasKey) return
      }
    },
    assert() {
      if (first === undefined) return
      if (!isKnown) throw lacksFields(knownNames, Object.keys(first))
      if (!hasKey) throw lacksKey(mapping.key ?? '', first)
    },
  }
}
