import type { AuditDocFormat } from '@wp/contracts'
import { csv } from './csv.ts'
import type { ExportFormat } from './export-format.ts'
import { ocsf } from './ocsf.ts'

/** JSON Lines: each record as the API shows it, on a line of its own. */
const jsonl: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: '.jsonl',
  header: '',
  line: (record) => `${JSON.stringify(record)}\n`,
}

export const formats: Readonly<Record<AuditDocFormat, ExportFormat>> = { csv, jsonl, ocsf }
