import { auditRecorded, type DomainEvent } from '@wp/contracts'
import { createBatchConsumer, type EventConsumer, parseSubject } from '@wp/events'
import { append, type Entry } from './chain/append.ts'
import type { Context } from './context.ts'
import { whyRefused } from './rules/who-may-write.ts'
import { addRecords, knownIds, lockChain, platformChain } from './store/chains.ts'

/** Appends every audit event of the shard to the chain of its workspace, once. */
export function createRecorder(context: Context): EventConsumer {
  const { database, bus, salt, appendConcurrency, ackWaitMs, log, metrics } = context
  return createBatchConsumer({
    database,
    bus,
    service: 'audit',
    purpose: 'log',
    kinds: [auditRecorded.kind],
    concurrency: appendConcurrency,
    ackWaitMs,
    authorize(event, { subject }) {
      const reason = whyRefused(subject, event)
      if (reason !== undefined)
        metrics.count('audit_refused_total', { producer: parseSubject(subject ?? '')?.producer ?? 'unknown' })
      return reason
    },
    async handle(deliveries, tx) {
      const chain = tx.workspaceId ?? platformChain
      if (tx.workspaceId === null) await tx.switchWorkspace({ workspaceId: platformChain, shard: database.shard })
      const head = await lockChain(tx.query, chain)
      const entries = deliveries.map(({ event }) => entryOf(event))
      // The inbox forgets after two weeks, the log never does.
      const ids = entries.map(({ facts }) => facts.id)
      const known = await knownIds(tx.query, chain, ids)
      const fresh = entries.filter(({ facts }) => !known.has(facts.id))
      if (fresh.length === 0) return
      const { appended, head: end } = append(chain, head, fresh, salt)
      await addRecords(tx.query, chain, appended, end)
      tx.afterCommit(() => metrics.count('audit_appended_total', {}, appended.length))
    },
    log,
    metrics,
  })
}

/** The record an event becomes. Its identifier is the event's, so the same event is the same record, always. */
function entryOf(event: DomainEvent): Entry {
  const { action, actor, targets, context, outcome, changes } = auditRecorded.data.parse(event.data)
  return {
    facts: {
      id: event.id.replace(/^evt_/, 'log_'),
      action,
      occurredAt: event.occurred_at,
      actor,
      targets,
      requestId: context.request_id,
      outcome,
      changes,
    },
    personal: { actorName: null, ip: context.ip, userAgent: context.user_agent },
  }
}
