import type { Grant, Identity, Resolution } from '@wp/contracts'
import { entryLimit } from '@wp/runtime'
import { LRUCache } from 'lru-cache'
import { createScopeCache } from '../token/scope-cache.ts'

const maxInterned = 10_000

/**
 * Creates a function that replaces equal parts of identities by shared objects. A hundred thousand API keys have few
 * distinct workspaces, scopes and limits, and each resolution arrives with copies of its own.
 */
export function createInterner(): (resolution: Resolution) => Resolution {
  const scopeCache = createScopeCache()
  const grantsByJson = new LRUCache<string, Grant[]>(entryLimit(maxInterned))
  const limitsByQuota = new LRUCache<number, Identity['limits']>(entryLimit(maxInterned))

  function internGrants(grants: Grant[]): Grant[] {
    const json = JSON.stringify(grants)
    const cached = grantsByJson.get(json)
    if (cached !== undefined) return cached
    const interned = grants.map((grant) => ({ ...grant, scopes: scopeCache.parse(grant.scopes.join(' ')).scopes }))
    grantsByJson.set(json, interned)
    return interned
  }

  function internLimits(limits: Identity['limits']): Identity['limits'] {
    const interned = limitsByQuota.get(limits.credential_per_minute) ?? limits
    limitsByQuota.set(limits.credential_per_minute, interned)
    return interned
  }

  return (resolution) => {
    if (resolution.status !== 'active') return resolution
    const { identity } = resolution
    const { principal, credential_id, workspace_id } = identity
    const grants = internGrants(identity.grants)
    const [firstGrant] = grants
    const interned = {
      ...identity,
      grants,
      limits: internLimits(identity.limits),
      credential_id: credential_id === principal.id ? principal.id : credential_id,
      workspace_id: firstGrant?.workspace_id === workspace_id ? firstGrant.workspace_id : workspace_id,
    }
    return { status: 'active', identity: interned }
  }
}
