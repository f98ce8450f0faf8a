import { type AuditAction, auditRecorded, type DomainEvent } from '@wp/contracts'
import type { Bus } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import { typeid } from 'typeid-js'
import type { z } from 'zod'
import { createCellPublisher } from '../event-publisher.ts'
import { type Denial, type DenialContext, denialOf } from './denial.ts'
import { createDenialThrottle, type WithheldDenials } from './denial-throttle.ts'

/** Publishes denials for the audit log. docs/decisions/audit-chain.md states which can be lost. */
export interface DenialRecorder {
  /** Records a rejected request if it is a denial of a known caller. Never throws and does not wait. */
  record(context: DenialContext): void
  /** Publishes the remaining denials, for two seconds at most. */
  close(): Promise<void>
}

interface DenialRecorderOptions {
  bus: Bus
  /** Buses of the other cells: a denial is published in the cell of its workspace. */
  cells: readonly Bus[]
  log: Log
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

const throttleCheckMs = 1_000

export function createDenialRecorder({ bus, cells, log, metrics, now }: DenialRecorderOptions): DenialRecorder {
  const throttle = createDenialThrottle(now)
  const publishers = [bus, ...cells].map((cell) =>
    createCellPublisher(cell, { noun: 'denial', metric: 'edge_audit', log, metrics, now }),
  )

  function publish(denial: Denial, withheld?: WithheldDenials): void {
    const target = publishers.find(({ shard }) => shard === (denial.shard || bus.shard))
    if (target === undefined) {
      log.error({ event: 'denial.dropped', shard: denial.shard }, 'denial dropped: no broker for the cell')
      metrics.count('edge_audit_dropped')
      return
    }
    target.publisher.add(denialEvent(denial, { id: typeid('evt').toString(), occurredAt: now(), withheld }))
  }

  function publishWithheld(all: boolean): void {
    for (const withheld of throttle.takeWithheld(all)) publish(withheld.denial, withheld)
  }

  const throttleTimer = setInterval(() => publishWithheld(false), throttleCheckMs).unref()
  return {
    record(context) {
      try {
        const denial = denialOf(context)
        if (denial !== undefined && throttle.allows(denial)) publish(denial)
      } catch (error) {
        // must not change the response
        const { requestId } = context
        log.error({ event: 'denial.record_failed', err: error, request_id: requestId }, 'failed to record a denial')
      }
    },
    async close() {
      clearInterval(throttleTimer)
      publishWithheld(true)
      await Promise.all(publishers.map(({ close }) => close()))
    },
  }
}

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
