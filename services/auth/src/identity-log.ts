import { type Invalidation, identityHeartbeatSubject, invalidationSubject, maxIdentityChanges } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { Schedule } from '@wp/jobs/background'
import type { Context } from './context.ts'
import { numberIdentityChanges } from './store/identity-changes.ts'

/** The queue of wake-ups for the publisher. */
export const identityLogQueue = 'identity_log'

/** Edges that receive no heartbeat for 3 seconds trust their caches for 10 seconds only. */
const heartbeatMs = 1_000
/** A heartbeat states what was committed when its pass began; an older statement is not published. */
const maxHeartbeatAgeMs = 500
/** Short, so that the heartbeats continue soon after the database is available again. */
const backoff = { firstMs: 100, maxMs: heartbeatMs }

/**
 * Returns the schedule that numbers the committed changes of identities and publishes them, with a heartbeat every
 * second. Any replica may do either, so a replica that is killed after a commit delays the change until the next
 * heartbeat of another one.
 */
export function identityLogSchedule({
  database,
  bus,
  shard,
  elapsedMs,
}: Pick<Context, 'database' | 'bus' | 'shard' | 'elapsedMs'>): Schedule {
  async function pass(): Promise<'more' | 'idle'> {
    const startedMs = elapsedMs()
    const heartbeat = await numberIdentityChanges(database.worker, maxIdentityChanges)
    if (heartbeat === undefined) return 'idle' // another replica publishes it
    if (elapsedMs() - startedMs < maxHeartbeatAgeMs) bus.publish(identityHeartbeatSubject(shard), heartbeat)
    return heartbeat.is_complete ? 'idle' : 'more'
  }

  return { name: 'identity log', everyMs: heartbeatMs, wakeQueue: identityLogQueue, backoff, pass }
}

/**
 * Publishes an invalidation of cached identities after the commit: of a credential, a principal or a workspace. It only
 * shortens the delay: triggers have written the change to the change log, whose heartbeats repeat it.
 */
export function publishInvalidation({ bus }: Pick<Context, 'bus'>, tx: Transaction, invalidation: Invalidation): void {
  tx.wake(identityLogQueue)
  tx.afterCommit(() => bus.publish(invalidationSubject, invalidation))
}
