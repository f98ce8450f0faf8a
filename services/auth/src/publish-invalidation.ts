import { type Invalidation, invalidationSubject } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { Context } from './context.ts'

/**
 * After the commit, says that what is remembered of a credential, a principal or a workspace no longer holds. It is an
 * accelerator: with the broker away, what is remembered ends by itself within ten seconds.
 */
export function publishInvalidation({ bus }: Pick<Context, 'bus'>, tx: Transaction, invalidation: Invalidation): void {
  tx.afterCommit(() => bus.publish(invalidationSubject, invalidation))
}
