import type { HttpConfig } from '@wp/contracts'
import type { Row } from '../../parsers/row.ts'
import { createLocalTimeConverter } from '../../schema/time-zone.ts'
import { isNumberText, isTimestampText, toTimestampMs } from '../../schema/value-kinds.ts'

/** The order of a source's `since` field. */
export interface SinceComparator {
  /** The greater of two values: as times or numbers where both are, otherwise as texts. */
  max(one: string | undefined, other: string | undefined): string | undefined
  /** The greatest value in some rows. */
  maxOf(rows: readonly Row[]): string | undefined
}

export function createSinceComparator({ since, fields }: HttpConfig): SinceComparator {
  const clock = createLocalTimeConverter(fields?.[since?.field ?? '']?.timezone ?? 'UTC')

  function toComparable(value: string): { kind: 'time' | 'number'; value: number } | undefined {
    if (isNumberText(value)) return { kind: 'number', value: Number(value) }
    if (!isTimestampText(value)) return undefined
    const moment = toTimestampMs(clock, value)
    return Number.isNaN(moment) ? undefined : { kind: 'time', value: moment }
  }

  function isLess(one: string, other: string): boolean {
    const [a, b] = [toComparable(one), toComparable(other)]
    if (a !== undefined && b !== undefined && a.kind === b.kind && a.value !== b.value) return a.value < b.value
    return one < other
  }

  function greater(one: string | undefined, other: string | undefined): string | undefined {
    if (one === undefined || other === undefined) return one ?? other
    return isLess(one, other) ? other : one
  }

  return {
    max: greater,
    maxOf(rows) {
      if (since === undefined) return undefined
      let greatest: string | undefined
      for (const row of rows)
        if ('value' in row && Object.hasOwn(row.value, since.field))
          greatest = greater(greatest, comparableText(row.value[since.field]))
      return greatest
    },
  }
}

/** A field's value that can be sent; nothing for what has no order. */
function comparableText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined
}

/**
 * What is sent so that rows from here on come: the greatest value so far, less the overlap where it reads as a time,
 * written as it was. A number is a time only where the field is declared as one: seconds since 1970, or milliseconds.
 */
export function sinceParameterValue(greatest: string, { since, fields, overlap_seconds: overlap }: HttpConfig): string {
  if (overlap === 0 || since === undefined) return greatest
  const declared = fields?.[since.field]
  if (isTimestampText(greatest)) {
    // By the clock it is written in, where it names no zone.
    const moment = toTimestampMs((local) => local, greatest)
    return Number.isNaN(moment) ? greatest : formatLike(moment - overlap * 1000, greatest)
  }
  if (declared?.type !== 'timestamp' || !isNumberText(greatest)) return greatest
  const isMilliseconds = Math.abs(Number(greatest)) >= 1e11
  return String(Number(greatest) - overlap * (isMilliseconds ? 1000 : 1))
}

/** A date stays a date, rounded down, and a time without a zone stays without one; others become UTC's. */
function formatLike(moment: number, like: string): string {
  const utc = new Date(moment).toISOString()
  if (like.length === 10) return utc.slice(0, 10)
  const separator = like[10] ?? 'T'
  const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(like.slice(11))
  const text = hasZone ? utc : utc.slice(0, -1)
  return text.replace('T', separator)
}
