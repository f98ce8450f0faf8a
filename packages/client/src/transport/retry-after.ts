/**
 * Returns `Retry-After` in seconds: a number of seconds or the time until a date (RFC 9110 section 10.2.3), 0 for a
 * date in the past; undefined without a valid value.
 * @param nowMs the time of the response
 */
export function readRetryAfterSeconds(
  { headers }: { headers: Headers },
  nowMs: number = Date.now(),
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN // `Date.parse` accepts numbers, too
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000)
}
