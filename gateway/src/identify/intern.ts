import type { Grant, Identity, Resolution } from '@wp/contracts'
import { LRUCache } from 'lru-cache'
import { createScopeCache } from './scope-cache.ts'

/** Different ones kept at most. */
const maxInterned = 10_000

/**
 * What many identities have in common is kept once: a hundred thousand keys have a few workspaces, scopes and limits
 * between them, and each came as a copy of its own.
 */
export function createInterner(): (resolution: Resolution) => Resolution {
  const scopeCache = createScopeCache()
  const grantsBy = new LRUCache<string, Grant[]>({ max: maxInterned })
  const limitsBy = new LRUCache<number, Identity['limits']>({ max: maxInterned })

  function internGrants(grants: Grant[]): Grant[] {
    const written = JSON.stringify(grants)
    const known = grantsBy.get(written)
    if (known !== undefined) return known
    const shared = grants.map((grant) => ({ ...grant, scopes: scopeCache.parse(grant.scopes.join(' ')).scopes }))
    grantsBy.set(written, shared)
    return shared
  }

  function internLimits(limits: Identity['limits']): Identity['limits'] {
    const known = limitsBy.get(limits.credential_per_minute) ?? limits
    limitsBy.set(limits.credential_per_minute, known)
    return known
  }

  return (resolution) => {
    if (resolution.status !== 'active') return resolution
    const { identity } = resolution
    const { principal, credential_id, workspace_id } = identity
    const grants = internGrants(identity.grants)
    const [first] = grants
    const shared = {
      ...identity,
      grants,
      limits: internLimits(identity.limits),
      credential_id: credential_id === principal.id ? principal.id : credential_id,
      workspace_id: first?.workspace_id === workspace_id ? first.workspace_id : workspace_id,
    }
    return { status: 'active', identity: shared }
  }
}
