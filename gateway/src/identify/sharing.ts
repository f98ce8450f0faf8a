import type { Grant, Identity, Resolution } from '@wp/contracts'
import { LRUCache } from 'lru-cache'
import { createScopeSets } from './scope-sets.ts'

/** Different ones kept at most. */
const most = 10_000

/**
 * What many identities have in common is kept once: a hundred thousand keys have a few workspaces, scopes and limits
 * between them, and each came as a copy of its own.
 */
export function createSharing(): (resolution: Resolution) => Resolution {
  const scopeSets = createScopeSets()
  const grantsBy = new LRUCache<string, Grant[]>({ max: most })
  const limitsBy = new LRUCache<number, Identity['limits']>({ max: most })

  function sharedGrants(grants: Grant[]): Grant[] {
    const written = JSON.stringify(grants)
    const known = grantsBy.get(written)
    if (known !== undefined) return known
    const shared = grants.map((grant) => ({ ...grant, scopes: scopeSets.of(grant.scopes.join(' ')).scopes }))
    grantsBy.set(written, shared)
    return shared
  }

  function sharedLimits(limits: Identity['limits']): Identity['limits'] {
    const known = limitsBy.get(limits.credential_per_minute) ?? limits
    limitsBy.set(limits.credential_per_minute, known)
    return known
  }

  return (resolution) => {
    if (resolution.status !== 'active') return resolution
    const { identity } = resolution
    const { principal, credential_id, workspace_id } = identity
    const grants = sharedGrants(identity.grants)
    const [home] = grants
    const shared = {
      ...identity,
      grants,
      limits: sharedLimits(identity.limits),
      credential_id: credential_id === principal.id ? principal.id : credential_id,
      workspace_id: home?.workspace_id === workspace_id ? home.workspace_id : workspace_id,
    }
    return { status: 'active', identity: shared }
  }
}
