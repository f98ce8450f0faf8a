import type { DataRecord, Source } from './queries.ts'
import { formatFieldValue } from './source-words.ts'

/** A key that the platform made of the content of a row, which tells a person nothing. */
export const isHash = (key: string): boolean => /^[0-9a-f]{64}(?:-\d+)?$/.test(key)

/** Returns the field that names a record without a title and with a key of its content: its first one with a value. */
export function nameField({ title, key, data }: DataRecord, schema: Source['schema']): string | undefined {
  if (title !== null || !isHash(key)) return undefined
  const names = [...schema.map(({ name }) => name), ...Object.keys(data)]
  return names.find((name) => Object.hasOwn(data, name) && formatFieldValue(data[name]) !== '')
}

/** Returns the name of a record: its title, its key, or its first value. */
export function recordName(record: DataRecord, schema: Source['schema']): string {
  const field = nameField(record, schema)
  return field === undefined ? (record.title ?? record.key) : formatFieldValue(record.data[field])
}
