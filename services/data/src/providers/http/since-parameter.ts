import type { HttpConfig } from '@wp/contracts'
import type { Row } from '../../parsers/row.ts'
import { createLocalTimeConverter } from '../../schema/time-zone.ts'
import { isNumberText, isTimestampText, toTimestampMs } from '../../schema/value-kinds.ts'

/** Compares values of the `since` field of a source. */
export interface SinceComparator {
  /** Returns the greater value: compared as timestamps or numbers if both are, otherwise as texts. */
  max(one: string | undefined, other: string | undefined): string | undefined
  /** Returns the greatest value of the `since` field in some rows. */
  maxOf(rows: readonly Row[]): string | undefined
}

export function createSinceComparator({ since, fields }: HttpConfig): SinceComparator {
  const toUtc = createLocalTimeConverter(fields?.[since?.field ?? '']?.timezone ?? 'UTC')

  function toComparable(text: string): { kind: 'time' | 'number'; value: number } | undefined {
    if (isNumberText(text)) return { kind: 'number', value: Number(text) }
    if (!isTimestampText(text)) return undefined
    const ms = toTimestampMs(toUtc, text)
    return Number.isNaN(ms) ? undefined : { kind: 'time', value: ms }
  }

  function isLess(one: string, other: string): boolean {
    const [a, b] = [toComparable(one), toComparable(other)]
    if (a !== undefined && b !== undefined && a.kind === b.kind && a.value !== b.value) return a.value < b.value
    return one < other
  }

  function max(one: string | undefined, other: string | undefined): string | undefined {
    if (one === undefined || other === undefined) return one ?? other
    return isLess(one, other) ? other : one
  }

  return {
    max,
    maxOf(rows) {
      if (since === undefined) return undefined
      let greatest: string | undefined
      for (const row of rows)
        if (!('reason' in row) && Object.hasOwn(row.value, since.field))
          greatest = max(greatest, comparableText(row.value[since.field]))
      return greatest
    },
  }
}

const maxValueLength = 1000

/** Returns a value as the text to send in a request; undefined if it has no order or is too long. */
function comparableText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= maxValueLength ? value : undefined
}

/**
 * Returns the value of the query parameter: the greatest value so far, minus the overlap if it is a timestamp, in the
 * same notation. A number is a timestamp only if the field is declared as one, in seconds or milliseconds since 1970.
 */
export function sinceParameterValue(
  greatest: string,
  { since, fields, overlap_seconds: overlapSeconds }: HttpConfig,
): string {
  if (overlapSeconds === 0 || since === undefined) return greatest
  const declared = fields?.[since.field]
  if (isTimestampText(greatest)) {
    // Local time without a zone is subtracted from as if it were UTC and stays local.
    const ms = toTimestampMs((localMs) => localMs, greatest)
    return Number.isNaN(ms) ? greatest : formatLike(ms - overlapSeconds * 1000, greatest)
  }
  if (declared?.type !== 'timestamp' || !isNumberText(greatest)) return greatest
  const isMilliseconds = Math.abs(Number(greatest)) >= 1e11
  return String(Number(greatest) - overlapSeconds * (isMilliseconds ? 1000 : 1))
}

/** Formats an instant in the notation of `like`: a date, rounded down, a time without a zone, or a time in UTC. */
function formatLike(ms: number, like: string): string {
  const utc = new Date(ms).toISOString()
  if (like.length === 10) return utc.slice(0, 10)
  const separator = like[10] ?? 'T'
  const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(like.slice(11))
  const text = hasZone ? utc : utc.slice(0, -1)
  return text.replace('T', separator)
}
