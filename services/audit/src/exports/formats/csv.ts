import type { ExportFormat, RecordView } from './export-format.ts'

const columns: readonly (readonly [string, (record: RecordView) => string | number | null | undefined])[] = [
  ['seq', ({ seq }) => seq],
  ['id', ({ id }) => id],
  ['occurred_at', ({ occurred_at: occurredAt }) => occurredAt],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['targets', ({ targets }) => JSON.stringify(targets)],
  ['changes', ({ changes }) => (changes === null ? null : JSON.stringify(changes))],
  ['ip', ({ context }) => context.ip],
  ['user_agent', ({ context }) => context.user_agent],
  ['request_id', ({ context }) => context.request_id],
  ['prev_hash', ({ prev_hash: prevHash }) => prevHash],
  ['hash', ({ hash }) => hash],
]

/** CSV (RFC 4180): a header row, CRLF line ends; targets and changes as JSON, a missing value as an empty cell. */
export const csv: ExportFormat = {
  contentType: 'text/csv',
  extension: '.csv',
  header: row(columns.map(([name]) => name)),
  line: (record) => row(columns.map(([, read]) => read(record))),
}

function row(values: readonly (string | number | null | undefined)[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

/**
 * Begins a text with an apostrophe where a spreadsheet would take it for a formula: after =, +, - or @, and after a tab
 * or line break, which some remove first (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
