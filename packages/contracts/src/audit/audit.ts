import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, text } from '../core/shape.ts'
import { timeInput } from '../core/time-input.ts'
import { AuditRecord, AuditVerification, auditOutcomes } from './shapes.ts'

const seqBound = () => z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional()

/** The audit log of a workspace, and its verification. */
export const audit = {
  listLogs: endpoint({
    id: 'audit.listLogs',
    method: 'GET',
    path: '/v1/audit/logs',
    summary: 'List audit records, newest first',
    scope: 'audit:read',
    query: listQuery({
      actor: text(200).optional().meta({ description: 'Identifier of the actor' }),
      action: text(100).optional(),
      target: text(200).optional().meta({ description: 'Identifier of a target' }),
      outcome: z.enum(auditOutcomes).optional(),
      since: timeInput().optional().meta({ description: 'Occurred at this time or later' }),
      until: timeInput().optional().meta({ description: 'Occurred before this time' }),
      from: timeInput().optional().meta({ description: 'Use `since`', deprecated: true }),
      to: timeInput().optional().meta({ description: 'Use `until`', deprecated: true }),
    })
      .refine(({ since, from }) => since === undefined || from === undefined, {
        path: ['from'],
        message: 'must not be given beside since, which replaces it',
      })
      .refine(({ until, to }) => until === undefined || to === undefined, {
        path: ['to'],
        message: 'must not be given beside until, which replaces it',
      }),
    list: AuditRecord,
    tool: { name: 'list_audit_logs', hints: { readOnly: true } },
  }),
  verifyLogs: endpoint({
    id: 'audit.verifyLogs',
    method: 'GET',
    path: '/v1/audit/logs/verify',
    summary: 'Verify the hash chain of the audit records, or a part of it',
    description:
      'Recomputes every hash and link, and compares the end of the chain with its stored end. Reports records that were altered, removed or added. Verify a very long chain in parts, with `from_seq` and `to_seq`.',
    scope: 'audit:read',
    query: z.strictObject({ from_seq: seqBound(), to_seq: seqBound() }),
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
