import { isDeepStrictEqual } from 'node:util'
import { type SourceConfig, SourceFormat } from '@wp/contracts'
import type { Query } from '@wp/database'
import { type LockedSource, saveFormat } from '../store/sources/locked-source.ts'

/** The format a file was read with. */
export interface DetectedFormat {
  /** The known part as of the beginning of the file; the rest was detected. */
  known: SourceFormat
  /** The whole format. */
  detected: SourceFormat
}

/** Returns the known part of the format of a source, of any provider. */
export function knownFormatOf(config: SourceConfig): SourceFormat {
  const format = 'format' in config ? config.format : undefined
  if (typeof format === 'string') return format === 'auto' ? {} : { type: format }
  return format ?? {}
}

/**
 * Returns the format to store in the config, without what a config cannot hold.
 * @param keepsType false leaves out a type that was not known before, for sources whose files may be of several types
 */
export function storableFormat({ known, detected }: DetectedFormat, keepsType: boolean): SourceFormat {
  const { type, ...rest } = detected
  const isOneType = keepsType || known.type !== undefined
  const format = type !== undefined && isOneType ? { type, ...rest } : rest
  const { columns: allColumns, ...withoutColumns } = format
  const { timestamp_formats: timestampFormats } = format
  // A pinned column is required of every file: those that a later file adds are not, and a CSV file need not have the
  // fields of a JSON document or a calendar of the same source.
  const isLater = known.columns !== undefined && known.header_row !== undefined
  const hasOwnColumns = !isOneType && (type === 'json' || type === 'ndjson' || type === 'icalendar')
  const columns = isLater || hasOwnColumns ? known.columns : allColumns
  const parsed = SourceFormat.safeParse({
    ...withoutColumns,
    ...(columns === undefined ? {} : { columns: withinLimits(columns) }),
    ...(timestampFormats === undefined || Array.isArray(timestampFormats)
      ? {}
      : { timestamp_formats: withinLimits(timestampFormats) }),
  })
  return parsed.success ? parsed.data : known
}

const maxColumns = 500
const maxNameLength = 200

/** Columns beyond the limits of a config are detected in each file. */
const withinLimits = <Value>(members: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => name !== '' && name.length <= maxNameLength)
      .slice(0, maxColumns),
  )

/**
 * Stores the detected format in the config of a locked source, so that a later file cannot change it. This is no change
 * of its settings: crawl state and the time of the last change stay.
 * @returns false if the format of the source was changed to one that contradicts the file
 */
export async function pinFormat(query: Query, source: LockedSource, { known, detected }: DetectedFormat) {
  const current = knownFormatOf(source.config)
  const next = isDeepStrictEqual(current, known) ? detected : mergeFormats(current, detected)
  if (next === undefined) return false
  if (!isDeepStrictEqual(next, current)) await saveFormat(query, source, next)
  return true
}

/** Joins the formats of two files that were read at the same time. Returns undefined if they contradict each other. */
function mergeFormats(current: SourceFormat, detected: SourceFormat): SourceFormat | undefined {
  const merged = new Map<string, unknown>(Object.entries(current))
  for (const [name, value] of Object.entries(detected)) {
    const stored = merged.get(name)
    const joined = stored === undefined || isDeepStrictEqual(stored, value) ? value : mergeMembers(stored, value)
    if (joined === undefined) return undefined
    merged.set(name, joined)
  }
  return SourceFormat.safeParse(Object.fromEntries(merged)).data
}

/** Joins the entries of columns. Returns undefined for other values, and if an entry differs. */
function mergeMembers(stored: unknown, added: unknown): Record<string, unknown> | undefined {
  if (!isRecord(stored) || !isRecord(added)) return undefined
  const isEqual = Object.entries(added).every(
    ([name, value]) => !Object.hasOwn(stored, name) || isDeepStrictEqual(stored[name], value),
  )
  return isEqual ? { ...stored, ...added } : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
