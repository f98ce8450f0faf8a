import { type AuditAction, auditRecorded, type DomainEvent } from '@wp/contracts'
import type { z } from 'zod'
import type { Denial } from './denial.ts'

interface EventOptions {
  /** A new event id; publishing the same event again does not record it twice. */
  id: string
  /** Milliseconds since 1970. */
  occurredAt: number
  /** Number of further denials of the same credential the event stands for, if they were throttled. */
  withheld?: number | undefined
}

const action: AuditAction = 'request.denied'

/** Returns the audit event of a denial. */
export function denialEvent(denial: Denial, { id, occurredAt, withheld }: EventOptions): DomainEvent {
  const { workspaceId, actor, endpointId, requestedWorkspaceId, code, requiredScope, ip, userAgent, requestId } = denial
  const data: z.input<typeof auditRecorded.data> = {
    action,
    actor,
    targets: [
      { type: 'endpoint', id: endpointId },
      ...(requestedWorkspaceId === undefined ? [] : [{ type: 'workspace', id: requestedWorkspaceId }]),
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
    id,
    kind: auditRecorded.kind,
    workspace_id: workspaceId,
    occurred_at: new Date(occurredAt).toISOString(),
    actor,
    request_id: requestId,
    traceparent: null,
    data,
  }
}
