import { csvRow } from '@wp/tabular'
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
  // Last, so that the columns before keep their places.
  ['actor_client_id', ({ actor }) => actor.client_id],
  ['actor_session_id', ({ actor }) => actor.session_id],
]

/** CSV (RFC 4180): a header row, CRLF line ends; targets and changes as JSON, a missing value as an empty cell. */
export const csv: ExportFormat = {
  contentType: 'text/csv',
  extension: '.csv',
  header: csvRow(columns.map(([name]) => name)),
  line: (record) => csvRow(columns.map(([, read]) => read(record))),
}
