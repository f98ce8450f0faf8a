import type { AuditDoc, AuditRecord } from '@wp/contracts'
import { type Job, jobFields } from '@wp/jobs'
import type { z } from 'zod'
import type { ExportInput, ExportResult } from './exports/export-job.ts'
import type { StoredRecord } from './store/record-types.ts'

/** Returns the public form of a record. Erased personal data are null. */
export function recordView({ record, hash, personal }: StoredRecord): z.output<typeof AuditRecord> {
  const { id, seq, action, occurredAt, actor, targets, requestId, outcome, changes, prevHash } = record
  const name = personal?.actorName ?? undefined
  return {
    id,
    seq,
    action,
    occurred_at: occurredAt,
    actor: { ...actor, ...(name === undefined ? {} : { name }) },
    targets,
    context: { ip: personal?.ip ?? null, user_agent: personal?.userAgent ?? null, request_id: requestId },
    outcome,
    changes,
    prev_hash: prevHash,
    hash,
  }
}

const noResult: { [Field in keyof ExportResult]: null } = {
  record_count: null,
  bytes: null,
  sha256: null,
  first_seq: null,
  last_seq: null,
  first_hash: null,
  last_hash: null,
  expires_at: null,
}

/** Returns the public form of an export job. */
export function docView(job: Job): z.input<typeof AuditDoc> {
  const { format, from, to, filters } = job.input as ExportInput // written by startDoc, from the parsed body
  const result = job.result as ExportResult | null // written by run-export.ts
  return { id: job.id, format, from, to, filters, ...(result ?? noResult), ...jobFields(job) }
}
