import { createHash } from 'node:crypto'
import { type AuditAction, auditRecorded, type DomainEvent } from '@wp/contracts'
import type { z } from 'zod'
import type { Denial } from './denial.ts'

/** What makes one denial another's not: the edge process, and how many it had noted before. */
export interface DenialOrdinal {
  edge: string
  number: number
}

const action: AuditAction = 'request.denied'

/**
 * The event of a denial. Its identifier follows from what it says, so that however often it is published it is one; and
 * from its number, because the request id is the caller's to choose and must not make two denials one.
 *
 * @param at milliseconds since 1970
 * @param withheld how many denials of the same credential it stands for, where they were too many to tell of each
 */
export function denialEvent(denial: Denial, at: number, ordinal: DenialOrdinal, withheld?: number): DomainEvent {
  const {
    workspaceId,
    actor,
    endpointId,
    requestedWorkspaceId: askedWorkspaceId,
    code,
    requiredScope,
    ip,
    userAgent,
    requestId,
  } = denial
  const data: z.input<typeof auditRecorded.data> = {
    action,
    actor,
    targets: [
      { type: 'endpoint', id: endpointId },
      ...(askedWorkspaceId === undefined ? [] : [{ type: 'workspace', id: askedWorkspaceId }]),
    ],
    context: { ip, user_agent: userAgent, request_id: requestId },
    outcome: 'denied',
    changes: {
      code,
      ...(requiredScope === undefined ? {} : { required_scope: requiredScope }),
      ...(withheld === undefined ? {} : { further_denials: withheld }),
    },
  }
  return {
    id: eventId(at, JSON.stringify([ordinal.edge, ordinal.number, requestId, code, actor.id, endpointId])),
    kind: auditRecorded.kind,
    workspace_id: workspaceId,
    occurred_at: new Date(at).toISOString(),
    actor,
    request_id: requestId,
    traceparent: null,
    data,
  }
}

/** A TypeID over a UUID of version 7 (RFC 9562) whose random part is a hash. */
function eventId(at: number, facts: string): string {
  const digest = createHash('sha256').update(facts).digest('hex')
  const time = at.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 3) | 8).toString(16)
  return `evt_${base32(BigInt(`0x${time}7${digest.slice(0, 3)}${variant}${digest.slice(4, 19)}`))}`
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 128 bits as TypeID writes them: 26 digits of Crockford's base 32. */
function base32(value: bigint): string {
  let text = ''
  for (let rest = value; text.length < 26; rest >>= 5n) text = `${alphabet[Number(rest & 31n)]}${text}`
  return text
}
