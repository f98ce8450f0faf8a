import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, text } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { auditForwarding } from './forwarding.ts'
import { recordRequests } from './requests.ts'
import { AuditHead, AuditRecord, AuditVerification, auditOutcomes } from './shapes.ts'

const seqBound = () => z.coerce.number<number>().int().min(1).max(Number.MAX_SAFE_INTEGER).optional()

/** The audit log of a workspace, and its verification. */
export const audit = declareEndpoints('audit', {
  listLogs: {
    method: 'GET',
    path: '/v1/audit/logs',
    summary: 'List audit records, newest first',
    description:
      'Each record says who did what to which resource, from where, and whether it succeeded. The filters are combined.',
    scope: 'audit:read',
    query: listQuery({
      actor: text(200).optional().describe('Identifier of the actor'),
      action: text(100).optional().describe('Only records of this action, for example `data_source.created`'),
      target: text(200).optional().describe('Identifier of a target'),
      outcome: z.enum(auditOutcomes).optional().describe('Only records with this outcome'),
      since: timeInput().optional().describe('Occurred at this time or later'),
      until: timeInput().optional().describe('Occurred before this time'),
      from: timeInput().optional().meta({ description: 'Use `since`', deprecated: true }),
      to: timeInput().optional().meta({ description: 'Use `until`', deprecated: true }),
    }).superRefine(checkTimeRange),
    list: AuditRecord,
    tool: { name: 'list_audit_logs', hints: { readOnly: true } },
  },
  verifyLogs: {
    method: 'GET',
    path: '/v1/audit/logs/verify',
    summary: 'Verify the hash chain of the audit records, or a part of it',
    description:
      'Recomputes every hash and link, and compares the end of the chain with its stored end. Reports records that were altered, removed or added. A request verifies at most 150,000 records, from the end; repeat it with `next_to_seq` as `to_seq` until that is null. Begins at the signed anchor if older records were cut after their retention. With `head`, a signed head that was kept, it also shows that no record up to that head was changed since.',
    scope: 'audit:read',
    query: z.strictObject({
      from_seq: seqBound().describe('First record to verify; default: the first of the chain'),
      to_seq: seqBound().describe('Last record to verify; default: the last of the chain'),
      head: text(2000).optional().describe('The `token` of a head that was signed earlier'),
    }),
    ok: AuditVerification,
    errors: ['rate_limited'],
  },
  readHead: {
    method: 'GET',
    path: '/v1/audit/logs/head',
    summary: 'Sign the head of the hash chain',
    description:
      'Signs the position and the hash of the last record. A stored token proves later that no record up to it was altered, removed or added: verify with `head`, or compare the hash of the record at that position.',
    scope: 'audit:read',
    ok: AuditHead,
  },
  keySet: {
    method: 'GET',
    path: '/v1/audit/keys',
    summary: 'The public keys that verify signed heads (RFC 7517), with those used earlier',
    description:
      'Verify the signature of a head with these keys. They include keys that were replaced, so that heads signed with them remain verifiable. No credential is needed.',
    credentials: 'none',
    limitClass: 'metadata',
    bare: z.object({ keys: z.array(z.record(z.string(), z.unknown())).describe('Public keys as JWKs') }),
  },
  getLog: {
    method: 'GET',
    path: '/v1/audit/logs/{id}',
    summary: 'Read an audit record',
    description: 'The record has its hash and the hash of the one before it, by which the chain can be verified.',
    scope: 'audit:read',
    params: z.object({ id: id('log') }),
    ok: AuditRecord,
  },
})

/** Endpoints of the audit service for other services. */
export const auditInternal = {
  readQuotaUsage: quotaUsageEndpoint('audit', 'audit'),
  recordRequests,
  ...auditForwarding,
}
