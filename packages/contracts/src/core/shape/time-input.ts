import { z } from 'zod'

const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * A time in an input: any RFC 3339 time, with an offset or Z in either case and with any fraction or none. The output
 * is in UTC with milliseconds, as in responses; further digits are cut off.
 */
export const timeInput = () =>
  z
    .string()
    .max(64)
    .meta({ format: 'date-time', examples: ['2026-01-05T09:30:00Z'] })
    .transform((text, context) => {
      const time = toUtc(text)
      if (time !== undefined) return time
      context.addIssue({ code: 'custom', message: describe(text) })
      return z.NEVER
    })

/** Start and end of a range, the end not included; `from` and `to` are earlier names. */
interface TimeRange extends Partial<Record<'since' | 'until' | 'from' | 'to', string | undefined>> {}

/** Rejects a range that is empty, which no one means, and one whose start or end is given twice. For `superRefine`. */
export function checkTimeRange({ since, until, from, to }: TimeRange, context: z.RefinementCtx): void {
  const reject = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (since !== undefined && from !== undefined) reject('from', 'must not be given beside since, which replaces it')
  if (until !== undefined && to !== undefined) reject('to', 'must not be given beside until, which replaces it')
  const [start, end] = [since ?? from, until ?? to]
  if (start !== undefined && end !== undefined && start >= end)
    reject(until === undefined ? 'to' : 'until', `must be after ${since === undefined ? 'from' : 'since'}`)
}

/**
 * Returns an RFC 3339 time in UTC with milliseconds; undefined for other text, and for years that PostgreSQL or the
 * format lacks.
 */
function toUtc(text: string): string | undefined {
  const [, day, minute, second, fraction = '', sign, hours, minutes] = rfc3339.exec(text) ?? []
  if (day === undefined || minute === undefined || second === undefined) return undefined
  const isLeapSecond = second === '60' // ISO 8601 in JavaScript has none
  const local = Date.parse(`${day}T${minute}:${isLeapSecond ? '59' : second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  if (Number.isNaN(local) || minute.startsWith('24') || !isSameDay(day, local)) return undefined
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1)
  const utc = new Date(local - offsetMs)
  if (isLeapSecond && utc.toISOString().slice(11, 19) !== '23:59:59') return undefined
  const time = new Date(isLeapSecond ? Math.floor(utc.getTime() / 1000 + 1) * 1000 : utc).toISOString()
  return /^(?!0000)\d{4}-/.test(time) ? time : undefined
}

/** Date.parse takes February 30 for March 2. */
const isSameDay = (day: string, local: number): boolean => new Date(local).toISOString().startsWith(day)

function describe(text: string): string {
  const rule = 'must be an RFC 3339 time such as 2026-01-05T09:30:00Z or 2026-01-05T10:30:00+01:00'
  if (/[Tt]\d\d:\d\d:\d\d(?:\.\d+)? \d\d:\d\d$/.test(text)) return `${rule}; in a URL, write + as %2B`
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${rule}, not a date without a time`
  if (/[Tt]\d\d:\d\d:\d\d(?:\.\d+)?$/.test(text)) return `${rule}, with Z or an offset`
  return rfc3339.test(text) ? 'is a time that does not exist' : rule
}
