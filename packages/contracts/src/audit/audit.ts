import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, text, timestamp } from '../core/shape.ts'
import { AuditRecord, AuditVerification, auditOutcomes } from './shapes.ts'

const place = () => z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional()

/** What was done in the workspace, by whom, and that nobody changed what was written down. */
export const audit = {
  listLogs: endpoint({
    id: 'audit.listLogs',
    method: 'GET',
    path: '/v1/audit/logs',
    summary: 'List audit records, newest first',
    scope: 'audit:read',
    query: listQuery({
      actor: text(200).optional().meta({ description: 'Identifier of who acted' }),
      action: text(100).optional(),
      target: text(200).optional().meta({ description: 'Identifier of what was acted on' }),
      outcome: z.enum(auditOutcomes).optional(),
      from: timestamp().optional().meta({ description: 'Occurred then or later' }),
      to: timestamp().optional().meta({ description: 'Occurred before then' }),
    }),
    list: AuditRecord,
  }),
  verifyLogs: endpoint({
    id: 'audit.verifyLogs',
    method: 'GET',
    path: '/v1/audit/logs/verify',
    summary: 'Verify the chain of audit records, whole or in part',
    description:
      'Recomputes every hash and every link, and compares the end with where the chain is known to end, so that records which were altered, removed or added are named. A very long chain is verified in parts, by `from_seq` and `to_seq`.',
    scope: 'audit:read',
    query: z.strictObject({ from_seq: place(), to_seq: place() }),
    ok: AuditVerification,
  }),
  getLog: endpoint({
    id: 'audit.getLog',
    method: 'GET',
    path: '/v1/audit/logs/{id}',
    summary: 'Read an audit record',
    scope: 'audit:read',
    params: z.object({ id: id('log') }),
    ok: AuditRecord,
  }),
}
