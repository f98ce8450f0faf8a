import type { ExportFormat } from './export-format.ts'

/** JSON Lines: each record as the API shows it, on a line of its own. */
export const jsonl: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: '.jsonl',
  header: '',
  line: (record) => `${JSON.stringify(record)}\n`,
}
