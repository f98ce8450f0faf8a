/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3): whole seconds or a date.
 * @returns milliseconds from now, 0 or more; undefined if the value is absent or malformed
 */
export function parseRetryAfter(field: string | undefined, nowMs: number): number | undefined {
  const value = field?.trim()
  if (value === undefined || value === '') return undefined
  const ms = /^\d{1,15}$/.test(value) ? Number(value) * 1000 : parseHttpDate(value) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/** The three date formats of RFC 9110 section 5.6.7 start with the name of a day; `Date.parse` accepts many others. */
const parseHttpDate = (value: string): number =>
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(/GMT$/.test(value) ? value : `${value} GMT`) : Number.NaN
