import type { NewAuditDoc } from '@wp/contracts'
import type { z } from 'zod'

/** Input of an export job: the parsed body of the request. */
export type ExportInput = z.output<typeof NewAuditDoc>

/** A record at one end of an export. */
export interface ExportEnd {
  seq: number
  hash: string
}

/** State of an export job at a checkpoint. */
export interface ExportState {
  /** Position of the last record when the export began; later ones are not exported. */
  headSeq: number
  /** Position up to which the chain was exported. */
  after: number
  recordCount: number
  bytes: number
  /** Number of parts of the content. */
  parts: number
  first: ExportEnd | null
  last: ExportEnd | null
}

/** Result of a finished export job: the fields of the resource that are null before. */
export interface ExportResult {
  record_count: number
  bytes: number
  sha256: string
  /** Null, as the three below, if there is no record. */
  first_seq: number | null
  last_seq: number | null
  first_hash: string | null
  last_hash: string | null
  expires_at: string
}
