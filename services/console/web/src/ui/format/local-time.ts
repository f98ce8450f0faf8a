/** Returns the value of a `datetime-local` input for a time, in the zone of the reader; empty for what is no time. */
export function toLocalInput(value: string | undefined): string {
  const at = new Date(value ?? '')
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, local.endsWith(':00.000Z') ? 16 : 19)
}

/** Returns the time, RFC 3339 in UTC, that a `datetime-local` input means in the zone of the reader. */
export function fromLocalInput(value: string | undefined): string | undefined {
  const at = new Date(value ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
