import { type Invalidation, invalidationSubject } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { Context } from '../context.ts'
import { identityLogQueue } from './identity-log-publisher.ts'

/**
 * Publishes an invalidation of cached identities after the commit: of a credential, a principal or a workspace. It only
 * shortens the delay: triggers have written the change to the change log, whose heartbeats repeat it.
 */
export function publishInvalidation({ bus }: Pick<Context, 'bus'>, tx: Transaction, invalidation: Invalidation): void {
  tx.wake(identityLogQueue)
  tx.afterCommit(() => bus.publish(invalidationSubject, invalidation))
}
