import { hash } from 'node:crypto'
import { canonicalJson } from '@wp/runtime'
import { maxRowBytes, rowTooLarge } from '../parsers/row.ts'
import { searchableText } from '../search/index/searchable-text.ts'
import type { DerivedFields, RecordInput } from '../store/records/upsert-records.ts'
import type { RowOrdinals } from './row-ordinals.ts'

/** The fields of a row that hold key, title, text and address; null and absent are the same. */
export interface FieldMapping {
  key?: string | null | undefined
  title_field?: string | null | undefined
  text_field?: string | null | undefined
  url_field?: string | null | undefined
}

/** Identifies the rows of a source without a key field: equal rows are numbered. */
export interface RowIdentity {
  ordinals: RowOrdinals
  /** The part of the source that holds the row, such as an object of a bucket. */
  part?: string | undefined
  /** The key that the format of the file gives the row. */
  key?: string | undefined
  /** The key in place of the value of the key field. */
  ownKey?: string | undefined
}

/** A row that cannot be stored, with the key of the record it was meant for, if it has one. */
interface RejectedRow {
  reason: string
  key?: string
}

const maxKeyLength = 500
const maxDepth = 100

/** Converts a row to a record, or returns the reason why it is rejected. */
export function toRecordInput(
  row: Readonly<Record<string, unknown>>,
  mapping: FieldMapping,
  identity: RowIdentity,
): RecordInput | RejectedRow {
  const keyOf = (field: string) => identity.ownKey ?? fieldKey(row, field)
  const reject = (reason: string): RejectedRow => {
    const key = mapping.key ? keyOf(mapping.key) : undefined
    return typeof key === 'string' ? { reason, key } : { reason }
  }
  const content = serializeRow(row)
  if ('reason' in content) return reject(content.reason)
  const { json } = content
  const key = mapping.key ? keyOf(mapping.key) : (identity.key ?? contentKey(row, identity))
  return typeof key === 'string' ? { key, json, ...deriveFields(row, mapping) } : key
}

/** Returns the JSON of a row, or the reason why it cannot be stored, whatever is its key. */
export function serializeRow(row: Readonly<Record<string, unknown>>): { json: string } | { reason: string } {
  if (isDeeperThan(row, maxDepth)) return { reason: `is nested deeper than ${maxDepth} levels` }
  const json = JSON.stringify(row)
  if (json.length > maxRowBytes || (json.length > maxRowBytes / 3 && Buffer.byteLength(json) > maxRowBytes))
    return { reason: rowTooLarge }
  const reason = invalidTextReason(row, json)
  return reason === undefined ? { json } : { reason }
}

/**
 * Derives title, address and text of a row. If the config names no field for them, the title is `title` or `name`, the
 * address is `url` and the text is all other readable text of the row.
 */
export function deriveFields(row: Readonly<Record<string, unknown>>, mapping: FieldMapping): DerivedFields {
  const { title_field, url_field, text_field } = mapping
  const titleField = title_field || ['title', 'name'].find((field) => fieldText(row, field) !== null)
  const urlField = url_field || 'url'
  return {
    title: titleField ? fieldText(row, titleField) : null,
    url: httpUrl(fieldText(row, urlField)),
    text: text_field ? fieldText(row, text_field) : searchableText(row, [titleField ?? '', urlField]),
  }
}

/**
 * Returns the key of a row without a key field: the hash of its content, and for the n-th equal row also its number, so
 * that none is lost and the same rows in any order have the same keys.
 */
function contentKey(row: Readonly<Record<string, unknown>>, { ordinals, part }: RowIdentity): string {
  const contentHash = hash('sha256', part === undefined ? contentText(row) : `${part}\0${contentText(row)}`)
  const ordinal = ordinals.next(contentHash)
  return ordinal === 1 ? contentHash : `${contentHash}-${ordinal}`
}

/**
 * Returns a text that is the same for rows of equal content, whichever format they were read from: a number and its
 * text are equal, likewise null, the empty text and a missing field, as when stored records are compared.
 */
function contentText(row: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(row)
    .filter((name) => row[name] !== null && row[name] !== undefined && row[name] !== '')
    .sort()
  const textOf = (value: unknown) =>
    typeof value === 'object' ? canonicalJson(value, JSON.stringify) : JSON.stringify(String(value))
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(row[name])}`).join(',')}}`
}

/** Returns the value of the key field of a row. Spaces around it, as columns of a fixed width have, are none of it. */
function fieldKey(row: Readonly<Record<string, unknown>>, field: string): string | { reason: string } {
  const key = fieldText(row, field)?.trim() || null
  if (key === null) return { reason: `has no value for the key field "${field}"` }
  return key.length <= maxKeyLength ? key : { reason: `has a key longer than ${maxKeyLength} characters` }
}

/** Returns true if a key field is configured and the row has no value for it. */
export const lacksKeyValue = (row: Readonly<Record<string, unknown>>, { key }: FieldMapping): boolean =>
  Boolean(key) && !fieldText(row, key ?? '')?.trim()

/** Returns the value of a field as text; null if it is absent, empty, an object or an array. */
function fieldText(row: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = Object.hasOwn(row, field) ? row[field] : undefined
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** Returns an http or https address, null for any other: clients show it as a link. */
function httpUrl(address: string | null): string | null {
  const protocol = address === null ? undefined : URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? address : null
}

function invalidTextReason(row: unknown, json: string): string | undefined {
  if (json.includes('\ufffd')) return 'has bytes that are not valid in its charset, or the character U+FFFD'
  // JSON.stringify escapes NUL and unpaired surrogates. An escaped backslash before such letters looks the same.
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
