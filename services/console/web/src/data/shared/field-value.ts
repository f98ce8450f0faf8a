/** Formats a value of a field of a record: text as it is, everything else as JSON; empty for none. */
export function formatFieldValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
