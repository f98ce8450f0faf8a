import { auditActionOwners, auditRecorded, type DomainEvent, id, isSigner, timestamp } from '@wp/contracts'
import { createBatchConsumer, type EventConsumer, parseSubject } from '@wp/events'
import { appendToChain, genesisHash, type UnchainedRecord } from './chain/record.ts'
import type { Context } from './context.ts'
import { findExistingIds, insertRecords, lockChain, platformChain } from './store/chains.ts'

/**
 * Producers that may record events outside any workspace: the edge before one is known, the global services, and the
 * audit log, whose retention cuts the chain of these events too.
 */
const producersWithoutWorkspace: ReadonlySet<string> = new Set(['gateway', 'auth', 'system', 'audit'])

const eventId = id('evt')
const workspaceId = id('ws')
const time = timestamp()

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

/**
 * Returns why the audit log rejects an event; undefined if it is accepted. The broker's permissions bind a producer to
 * its subjects, so the subject tells who published the event and for which workspace; the event itself must agree.
 *
 * @param subject null if it is unknown; the event is then rejected
 */
export function rejectionReason(subject: string | null, event: DomainEvent): string | undefined {
  const parsed = parseSubject(subject ?? '')
  if (parsed === undefined) return 'the subject is unknown'
  const { producer } = parsed
  if (parsed.kind !== auditRecorded.kind || event.kind !== parsed.kind) return 'the event is not an audit event'
  if (parsed.workspace_id !== event.workspace_id) return 'the subject names another workspace'
  if (!eventId.safeParse(event.id).success) return 'the event id is malformed'
  if (!time.safeParse(event.occurred_at).success) return 'the event time is malformed'
  const data = auditRecorded.data.safeParse(event.data)
  if (!data.success) return `the event data are invalid: ${data.error.issues[0]?.path.join('.')}`
  return workspaceRejection(producer, event.workspace_id) ?? actionRejection(producer, data.data)
}

function workspaceRejection(producer: string, workspace: string): string | undefined {
  if (workspace !== '') return workspaceId.safeParse(workspace).success ? undefined : 'the workspace id is malformed'
  return producersWithoutWorkspace.has(producer) ? undefined : `${producer} may not record events without a workspace`
}

function actionRejection(producer: string, { action, outcome }: { action: string; outcome: string }) {
  if (!isSigner(producer) || auditActionOwners.get(action)?.has(producer) !== true)
    return `${producer} may not record ${action}`
  // The edge changes nothing itself: it can only record requests that it denied.
  if (producer === 'gateway' && outcome !== 'denied') return 'gateway may only record denied requests'
  return undefined
}
