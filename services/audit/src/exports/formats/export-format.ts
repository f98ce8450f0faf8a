import type { AuditRecord } from '@wp/contracts'
import type { z } from 'zod'

/** A record as the API shows it. */
export type RecordView = z.output<typeof AuditRecord>

/** Writes records as text. The same records give the same text. */
export interface ExportFormat {
  contentType: 'text/csv' | 'application/x-ndjson'
  /** Extension of the file name, with the dot. */
  extension: string
  /** Text before the first record; may be empty. */
  header: string
  /** Returns the text of one record, with its line end. */
  line(record: RecordView, workspaceId: string): string
}
