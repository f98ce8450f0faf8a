import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'
import { timeInput } from '../core/shape/time-input.ts'
import { destinationFormats } from '../webhooks/destination-shapes.ts'

/** Records of one page at most, and the length of their texts after which a page ends. */
export const [maxForwardedRecords, maxForwardedBytes] = [1_000, 4_194_304]

/** Workspaces of one request for heads. */
export const maxAuditHeads = 500

const seq = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const seqParameter = () => z.coerce.number<number>().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Endpoints of the audit log for event destinations, which read it in the order of the chain. */
export const auditForwarding = declareEndpoints('audit', {
  readRecordsAfter: {
    method: 'GET',
    path: '/internal/audit/records',
    summary: 'Read the records after a position, in the order of the chain',
    audience: 'internal',
    scope: 'audit:read',
    callers: ['webhook-delivery'],
    delegations: ['audit_destination'],
    query: z.strictObject({
      after: seqParameter(),
      /** Last position. */
      to: seqParameter(),
      limit: z.coerce.number<number>().int().min(1).max(maxForwardedRecords),
      format: z.enum(destinationFormats),
    }),
    bare: z.object({
      records: z.array(
        z.object({
          seq: seq(),
          id: z.string(),
          action: z.string(),
          occurred_at: timestamp(),
          /** The record in the format, as JSON text. */
          text: z.string(),
        }),
      ),
    }),
  },
  findPosition: {
    method: 'GET',
    path: '/internal/audit/position',
    summary: 'Find the oldest record and the first one from a time on',
    audience: 'internal',
    scope: 'audit:read',
    callers: ['webhook-delivery'],
    delegations: ['audit_destination'],
    query: z.strictObject({ since: timeInput().optional() }),
    /** Positions; `first_since` is the one after the head if no record is that young. */
    bare: z.object({ oldest: seq(), head: seq(), first_since: seq() }),
  },
  listHeads: {
    method: 'POST',
    path: '/internal/audit/heads',
    summary: 'List the positions of the newest records of workspaces',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: ['webhook-delivery'],
    body: z.strictObject({ workspace_ids: boundedArray(id('ws'), maxAuditHeads) }),
    bare: z.object({ heads: z.array(z.object({ workspace_id: id('ws'), seq: seq() })) }),
  },
})
