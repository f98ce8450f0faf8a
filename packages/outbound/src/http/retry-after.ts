/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3): seconds or a date. Accepts what servers send besides: fractions of a
 * second, and dates in another zone than GMT, which are read in their zone.
 * @param field the first value counts if there are several
 * @returns milliseconds from now, 0 or more; undefined if the value is absent or malformed
 */
export function parseRetryAfterMs(field: string | string[] | undefined, nowMs: number): number | undefined {
  const value = [field ?? []].flat()[0]?.trim() ?? ''
  if (/^\d{1,30}(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const ms = parseHttpDate(value) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/**
 * The three date formats of RFC 9110 section 5.6.7 start with the name of a day; `Date.parse` accepts many other texts
 * as dates, such as `in 2 hours`. The format of asctime has no zone, and `Date.parse` would take the local one.
 */
function parseHttpDate(value: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/i.test(value)) return Number.NaN
  return Date.parse(/(?:[a-z]|[+-]\d{4})$/i.test(value) ? value : `${value} GMT`)
}
