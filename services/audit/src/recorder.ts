import { auditRecorded, type DomainEvent } from '@wp/contracts'
import { createBatchConsumer, type EventConsumer, parseSubject } from '@wp/events'
import { rejectionReason } from './authorize-producer.ts'
import { appendToChain, type UnchainedRecord } from './chain/append.ts'
import { genesisHash } from './chain/record.ts'
import type { Context } from './context.ts'
import { findExistingIds, insertRecords, lockChain, platformChain } from './store/chains.ts'

/** Creates the consumer that appends each audit event of the shard to the chain of its workspace, exactly once. */
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
      const reason = rejectionReason(subject, event)
      if (reason !== undefined)
        metrics.count('audit_refused_total', { producer: parseSubject(subject ?? '')?.producer ?? 'unknown' })
      return reason
    },
    async handle(deliveries, tx) {
      const chain = tx.workspaceId ?? platformChain
      if (tx.workspaceId === null) await tx.switchWorkspace({ workspaceId: platformChain, shard: database.shard })
      const head = await lockChain(tx.query, chain, genesisHash)
      const records = deliveries.map(({ event }) => recordOf(event))
      // Inbox rows are deleted after 15 days; the log deduplicates by record id for as long as it exists.
      const ids = records.map(({ content }) => content.id)
      const existing = await findExistingIds(tx.query, chain, ids)
      const newRecords = records.filter(({ content }) => !existing.has(content.id))
      if (newRecords.length === 0) return
      const { appended, head: newHead } = appendToChain(chain, head, newRecords, salt)
      await insertRecords(tx.query, chain, appended, newHead)
      tx.afterCommit(() => metrics.count('audit_appended_total', {}, appended.length))
    },
    log,
    metrics,
  })
}

/** Returns the record of an event. Its id derives from the event's, so a redelivered event is the same record. */
function recordOf(event: DomainEvent): UnchainedRecord {
  const { action, actor, targets, context, outcome, changes } = auditRecorded.data.parse(event.data)
  return {
    content: {
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
