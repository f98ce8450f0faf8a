import { hash } from 'node:crypto'
import { maxRowBytes, rowTooLarge } from '../parsers/row.ts'
import { searchableText } from '../search/index/searchable-text.ts'
import { canonicalJson } from './canonical-json.ts'

/** Which fields of a row mean what; null and absent are the same. */
export interface FieldMapping {
  key?: string | null | undefined
  title_field?: string | null | undefined
  text_field?: string | null | undefined
  url_field?: string | null | undefined
}

/** What a row becomes: a record that has no identifier yet. */
export interface RecordInput extends DerivedFields {
  key: string
  /** The row as JSON text. */
  json: string
  /** The part of the source it is of, where that has parts. */
  part?: string
}

/** Why a row can be no record; of which one it would have been, where it names a key. */
export interface RejectedRow {
  reason: string
  key?: string
}

/** What is derived from a row by the source's config. */
export interface DerivedFields {
  title: string | null
  url: string | null
  text: string | null
}

const maxKeyLength = 500
const maxDepth = 100

/** Makes a record of a row, or says why it can't be one. */
export function toRecordInput(
  row: Readonly<Record<string, unknown>>,
  mapping: FieldMapping,
): RecordInput | RejectedRow {
  const refused = (reason: string): RejectedRow => {
    const key = mapping.key ? recordKey(row, mapping.key) : undefined
    return typeof key === 'string' ? { reason, key } : { reason }
  }
  if (isDeeperThan(row, maxDepth)) return refused(`is nested deeper than ${maxDepth} levels`)
  const json = JSON.stringify(row)
  if (json.length > maxRowBytes || (json.length > maxRowBytes / 3 && Buffer.byteLength(json) > maxRowBytes))
    return refused(rowTooLarge)
  const fault = invalidTextReason(row, json)
  if (fault !== undefined) return refused(fault)
  const key = recordKey(row, mapping.key)
  return typeof key === 'string' ? { key, json, ...deriveFields(row, mapping) } : key
}

/**
 * Title, address and text of a row. Where the config names no field, `title` or `name` and `url` are tried, and the text
 * is what else can be read.
 */
export function deriveFields(row: Readonly<Record<string, unknown>>, roles: FieldMapping): DerivedFields {
  const { title_field, url_field, text_field } = roles
  const titleField = title_field || ['title', 'name'].find((field) => fieldText(row, field) !== null)
  const urlField = url_field || 'url'
  return {
    title: titleField ? fieldText(row, titleField) : null,
    url: httpUrl(fieldText(row, urlField)),
    text: text_field ? fieldText(row, text_field) : searchableText(row, [titleField ?? '', urlField]),
  }
}

/** What identifies the row in its source: the key field's value; without one, what the whole row says. */
function recordKey(
  row: Readonly<Record<string, unknown>>,
  field: string | null | undefined,
): string | { reason: string } {
  if (!field) return hash('sha256', canonicalJson(row))
  const key = fieldText(row, field)
  if (key === null) return { reason: `has no value for the key field "${field}"` }
  return key.length <= maxKeyLength ? key : { reason: `has a key longer than ${maxKeyLength} characters` }
}

/** A field's value as text; null where it is absent, empty or no text, number or boolean. */
function fieldText(row: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = Object.hasOwn(row, field) ? row[field] : undefined
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** Only addresses of the web: what stands here is shown as a link. */
function httpUrl(address: string | null): string | null {
  const protocol = address === null ? undefined : URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? address : null
}

function invalidTextReason(row: unknown, json: string): string | undefined {
  if (json.includes('\ufffd')) return 'has bytes that are not valid in its charset, or the character U+FFFD'
  // JSON.stringify writes NUL and unpaired surrogates as escapes; so does a backslash before such letters look.
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return undefined
  if (!isEveryString(row, (text) => !text.includes('\0'))) return 'has a NUL character'
  return isEveryString(row, (text) => text.isWellFormed()) ? undefined : 'has half of a surrogate pair'
}

function isEveryString(value: unknown, check: (text: string) => boolean): boolean {
  if (typeof value === 'string') return check(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => check(name) && isEveryString(member, check))
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Object.values(value)) if (isDeeperThan(member, levels - 1)) return true
  return false
}
