import { type Invalidation, invalidationSubject } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { Context } from './context.ts'

/**
 * Publishes an invalidation of cached identities after the commit: of a credential, a principal or a workspace. It only
 * shortens the delay: without it, for example while the broker is unavailable, cache entries expire after 10 seconds.
 */
export function publishInvalidation({ bus }: Pick<Context, 'bus'>, tx: Transaction, invalidation: Invalidation): void {
  tx.afterCommit(() => bus.publish(invalidationSubject, invalidation))
}
