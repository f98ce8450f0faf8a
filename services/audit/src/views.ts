import type { AuditRecord } from '@wp/contracts'
import type { z } from 'zod'
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
