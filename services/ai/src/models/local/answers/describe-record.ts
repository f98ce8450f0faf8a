import type { KnownRecord } from '../tool-results.ts'

/** A longer value is a text. */
const maxShortLength = 80

/** The key of a record without a key of its own is a hash of its content, which says nothing to a person. */
const contentHash = /^[0-9a-f]{64}$/

/** Returns short fields of a record as text: those given, or all. */
export function describeRecord({ title, key, data }: KnownRecord, fields?: readonly string[]): string {
  const name = title ?? (contentHash.test(key) ? undefined : key)
  const parts = Object.entries(data)
    .filter(([field, value]) => (fields === undefined ? isShort(value) && value !== title : fields.includes(field)))
    .map(([field, value]) => `${field.replaceAll('_', ' ')} ${formatValue(value)}`)
    .join(', ')
  return name === undefined ? parts : `${name}: ${parts}`
}

const isShort = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'object' && String(value).length <= maxShortLength

/** Returns a value as text: a number with up to four decimals, a dash for none. */
export const formatValue = (value: unknown): string =>
  typeof value === 'number'
    ? String(Number(value.toFixed(4)))
    : value === null || value === undefined || value === ''
      ? '–'
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
