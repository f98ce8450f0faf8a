import { type AuditAction, auditRecorded, type DomainEvent } from '@wp/contracts'
import type { z } from 'zod'
import type { Denial } from './denial.ts'
import type { WithheldDenials } from './denial-throttle.ts'

interface EventOptions {
  /** A new event id; publishing the same event again does not record it twice. */
  id: string
  /** Milliseconds since 1970. */
  occurredAt: number
  /** The further denials that the event stands for, if they were throttled; the event describes the latest. */
  withheld?: Pick<WithheldDenials, 'count' | 'scope'> | undefined
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
      ...(withheld === undefined ? {} : { further_denials: withheld.count, counted_by: withheld.scope }),
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
