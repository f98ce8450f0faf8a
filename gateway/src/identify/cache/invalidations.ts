import { type Identity, Invalidation, invalidationSubject } from '@wp/contracts'
import type { Bus } from '@wp/events'
import type { Log } from '@wp/runtime'

/** The part of an identity with the ids whose invalidation invalidates it. */
type Dependencies = Pick<Identity, 'credential_id' | 'principal' | 'grants'>

/**
 * Records which credentials, principals and workspaces have changed, numbered in the order the messages arrive. A
 * cached entry holds the sequence number at which its lookup started and is current while no dependency has a later
 * one. So an invalidation that arrives during a lookup is not lost, and no cache has to be searched.
 */
export interface Invalidations {
  /** Returns the current sequence number. */
  sequence(): number
  add(invalidation: Invalidation): void
  /** Invalidates everything cached until now; called when messages may have been missed. */
  flush(): void
  /** Returns true if nothing an identity depends on has changed after a sequence number. */
  isCurrentSince(sequence: number, dependencies: Dependencies): boolean
}

/** Returns the ids whose change invalidates an identity. */
export const dependenciesOf = ({ credential_id, principal, grants }: Dependencies): string[] => [
  credential_id,
  principal.id,
  ...grants.map(({ workspace_id }) => workspace_id),
]

/** Limit of changes recorded individually; beyond it everything cached is invalidated, which is safe and rare. */
const maxChanges = 100_000

/** @param onChange called with the ids that changed */
export function createInvalidations(onChange: (ids: readonly string[]) => void = () => {}): Invalidations {
  const changedAt = new Map<string, number>()
  let sequence = 0
  let flushedAt = 0
  const changedAfter = (id: string, since: number) => (changedAt.get(id) ?? 0) > since

  function flush(): void {
    sequence += 1
    flushedAt = sequence
    changedAt.clear()
  }

  return {
    sequence: () => sequence,
    add({ credential_id, principal_id, workspace_id }) {
      sequence += 1
      // any of the ids drops an entry: dropping too much costs a lookup, too little delays a revocation
      const ids = [credential_id, principal_id, workspace_id].filter((id) => id !== undefined)
      for (const id of ids) changedAt.set(id, sequence)
      if (ids.length === 0 || changedAt.size > maxChanges) flush()
      onChange(ids)
    },
    flush,
    isCurrentSince: (since, { credential_id, principal, grants }) =>
      flushedAt <= since &&
      !changedAfter(credential_id, since) &&
      !changedAfter(principal.id, since) &&
      !grants.some((grant) => changedAfter(grant.workspace_id, since)),
  }
}

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
