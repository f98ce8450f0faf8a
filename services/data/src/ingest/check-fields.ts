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
 * Asserts that rows have at least one field of the records of their source: an error message in place of rows has none.
 * @throws Problem `unexpected_format`
 */
export function assertKnownFields(known: StoredFields, found: Iterable<string>): void {
  const names = [...found]
  const knownNames = new Set(known.map(([name]) => name))
  if (knownNames.size === 0 || names.length === 0 || names.some((name) => knownNames.has(name))) return
  throw lacksFields([...knownNames], names)
}

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
  const names = known.map(([name]) => name)
  // An error message may have an id too.
  const others = names.filter((name) => name !== mapping.key)
  const knownNames = new Set(others.length > 0 ? others : names)
  let isKnown = knownNames.size === 0
  let hasKey = !mapping.key
  let first: Readonly<Record<string, unknown>> | undefined
  return {
    add(rows) {
      if (isKnown && hasKey) return
      for (const row of rows) {
        if ('reason' in row) continue
        first ??= row.value
        hasKey ||= !lacksKeyValue(row.value, mapping)
        isKnown ||= Object.keys(row.value).some((name) => knownNames.has(name))
        if (isKnown && hasKey) return
      }
    },
    assert() {
      if (first === undefined) return
      if (!isKnown) throw lacksFields([...knownNames], Object.keys(first))
      if (!hasKey) throw lacksKey(mapping.key ?? '', first)
    },
  }
}
