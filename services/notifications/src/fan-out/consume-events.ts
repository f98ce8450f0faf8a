import { createConsumer, type EventConsumer } from '@wp/events'
import { enqueue } from '@wp/jobs'
import { notifiedKinds } from '../catalog/kinds.ts'
import type { Context } from '../context.ts'

/** The job queue that notifies the members of a workspace of an event. */
export const fanOutQueue = 'fan_out'

/** Events that wait for their turn in this process. */
const maxWaitingEvents = 64

/**
 * Creates the consumer that queues a job for each event. The members are asked of auth, which a consumer must not do in
 * its transaction; and jobs of workspaces take turns, so that a flood of events in one workspace delays no other.
 */
export function createEventConsumer({ database, bus, log, metrics }: Context): EventConsumer {
  return createConsumer({
    database,
    bus,
    service: 'notifications',
    purpose: 'feed',
    kinds: notifiedKinds,
    maxWaiting: maxWaitingEvents,
    async handle({ id, kind, data }, tx) {
      if (tx.workspaceId === null) return
      await enqueue(tx, { id, queue: fanOutQueue, subject: kind, input: { kind, data } })
    },
    log,
    metrics,
  })
}
