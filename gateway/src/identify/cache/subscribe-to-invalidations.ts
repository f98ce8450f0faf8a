import { Invalidation, invalidationSubject } from '@wp/contracts'
import type { Bus } from '@wp/events'
import type { Log } from '@wp/runtime'
import { createInvalidations, type Invalidations } from './invalidations.ts'

/**
 * Records the invalidations published on the bus. The change log repeats those that are missed.
 * @param onChange called with the ids that changed
 */
export function subscribeToInvalidations(
  bus: Pick<Bus, 'subscribe'>,
  log: Pick<Log, 'warn'>,
  onChange: (ids: readonly string[]) => void,
): Invalidations {
  const invalidations = createInvalidations(onChange)
  bus.subscribe(invalidationSubject, (data) => {
    const parsed = Invalidation.safeParse(data)
    if (parsed.success) return void invalidations.add(parsed.data)
    log.warn({ event: 'identity_cache.flushed', data }, 'malformed invalidation message; identity cache flushed')
    invalidations.flush()
  })
  return invalidations
}
