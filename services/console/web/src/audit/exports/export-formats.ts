import type { AuditDocFormat } from '@wp/contracts'

/** The names of the formats of exports. */
export const formatNames: Readonly<Record<AuditDocFormat, string>> = { csv: 'CSV', jsonl: 'JSON lines', ocsf: 'OCSF' }

/** The purposes of the formats. */
export const formatHints: Readonly<Record<AuditDocFormat, string>> = {
  csv: 'A table for spreadsheets, with a header row.',
  jsonl: 'One record of the API a line.',
  ocsf: 'One OCSF 1.3.0 event a line, for security tools.',
}
