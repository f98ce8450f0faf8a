import type { Client } from '@wp/client/browser'
import { formatNumber } from '../../../../ui/format/format.ts'
import type { UploadOptions } from '../../file-types.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** A date, and a time of day that may have an offset, as they are stored (RFC 3339). */
const storedTime = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/
const significantDigits = 15

/**
 * Formats a value as it was read: `Jan 31, 2024, 08:00`. The month is a word, so that an exchanged day and month show.
 * Returns undefined for no value.
 */
export function formatReadValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number') return formatNumber(value, significantDigits)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Formats a stored time; a text that is none stays as it is. */
export function formatReadTime(text: string): string {
  const [, year, month = '', day, minutes, seconds = '00', offset] = storedTime.exec(text) ?? []
  const name = months[Number(month) - 1]
  if (name === undefined) return text
  const date = `${Number(day)} ${name} ${year}`
  if (minutes === undefined) return date
  const time = seconds === '00' ? minutes : `${minutes}:${seconds}`
  return `${date}, ${time}${offset === undefined ? '' : ` ${offset === 'Z' ? 'UTC' : `UTC${offset}`}`}`
}

/** The platform's reading of a file. */
export type Preview = Awaited<ReturnType<Client['data']['preview']>>

/** Files that a person chose together. The first one is previewed, the others are read as it is. */
export interface ChosenFiles {
  id: string
  files: readonly [File, ...File[]]
  /** True for documents, of which there is no preview. */
  isDocument: boolean
  /** The offer with which a person was led to the source; undefined without one. */
  mode?: UploadOptions['mode'] | undefined
}
