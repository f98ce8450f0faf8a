import type { Invalidation } from '@wp/contracts'

/** What a cached identity depends on. */
export interface Dependencies {
  credentialId: string
  principalId: string
  workspaceIds: readonly string[]
}

/**
 * Remembers which credentials, principals and workspaces were said to have changed, in the order it was said. A cached
 * entry holds the order number at which its fetch began: it is good while nothing it depends on has a later one. So an
 * invalidation that arrives during a fetch is not lost, and no entry has to be searched for.
 */
export interface Invalidations {
  /** The order number of now. */
  sequence(): number
  add(invalidation: Invalidation): void
  /** Forgets everything cached until now, after messages may have been missed. */
  flush(): void
  isCurrentSince(since: number, dependencies: Dependencies): boolean
}

/** Changes remembered one by one; with more of them everything cached is forgotten, which is safe, and seldom. */
const maxChanges = 100_000

export function createInvalidations(): Invalidations {
  const changed = new Map<string, number>()
  let sequence = 0
  let flushedAt = 0
  const changedAfter = (id: string, since: number) => (changed.get(id) ?? 0) > since

  function flush(): void {
    sequence += 1
    flushedAt = sequence
    changed.clear()
  }

  return {
    sequence: () => sequence,
    add({ credential_id, principal_id, workspace_id }) {
      sequence += 1
      // one of the fields is enough to drop an entry: dropping too much costs a lookup, too little costs a revocation
      const ids = [credential_id, principal_id, workspace_id].filter((id) => id !== undefined)
      for (const id of ids) changed.set(id, sequence)
      if (ids.length === 0 || changed.size > maxChanges) flush()
    },
    flush,
    isCurrentSince: (since, { credentialId, principalId, workspaceIds }) =>
      flushedAt <= since &&
      !changedAfter(credentialId, since) &&
      !changedAfter(principalId, since) &&
      !workspaceIds.some((id) => changedAfter(id, since)),
  }
}
