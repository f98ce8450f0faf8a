import type { PresentedCredential, Resolution } from '@wp/contracts'
import type { Database } from '@wp/database'
import {
  findApiKeysByHash,
  findApiKeysById,
  findServicePrincipalsById,
  findSessionsById,
  findUsersById,
} from '../store/credentials/credential-lookup.ts'
import { resolveApiKey, resolveServicePrincipalToken, resolveStoredCaller, resolveUserToken } from './resolution.ts'

/** What credentials, or callers stored with jobs, may do now: in the order asked, one statement for each kind of them. */
export async function resolveAll(
  pool: Database['worker'],
  items: readonly PresentedCredential[],
): Promise<Resolution[]> {
  const idsOf = collectLookupIds(items)
  const [apiKeysByHash, apiKeysById, servicePrincipals, users, sessions] = await Promise.all([
    findApiKeysByHash(pool, idsOf('apiKeyHash')),
    findApiKeysById(pool, idsOf('apiKey')),
    findServicePrincipalsById(pool, idsOf('servicePrincipal')),
    findUsersById(pool, idsOf('user')),
    findSessionsById(pool, idsOf('session')),
  ])
  function resolve(presented: PresentedCredential): Resolution {
    switch (presented.type) {
      case 'api_key':
        return resolveApiKey(presented, apiKeysByHash.get(presented.hash))
      case 'token':
        return presented.principal_type === 'user'
          ? resolveUserToken(presented, sessions.get(presented.session_id ?? ''))
          : resolveServicePrincipalToken(servicePrincipals.get(presented.principal_id))
      case 'caller':
        return resolveStoredCaller(presented, {
          apiKey: apiKeysById.get(presented.principal_id),
          servicePrincipal: servicePrincipals.get(presented.principal_id),
          user: users.get(presented.principal_id),
        })
    }
  }
  return items.map(resolve)
}

type LookupKind = 'apiKeyHash' | 'apiKey' | 'servicePrincipal' | 'user' | 'session'

function collectLookupIds(items: readonly PresentedCredential[]): (kind: LookupKind) => string[] {
  const lookupKeys = items.map(lookupKey)
  return (kind) => [...new Set(lookupKeys.flatMap((name) => (name.kind === kind ? [name.id] : [])))]
}

/** What has to be looked up for a credential; services and nobody are known to auth by no name. */
function lookupKey(shown: PresentedCredential): { kind: LookupKind | undefined; id: string } {
  if (shown.type === 'api_key') return { kind: 'apiKeyHash', id: shown.hash }
  if (shown.type === 'token' && shown.principal_type === 'user') return { kind: 'session', id: shown.session_id ?? '' }
  const kinds: Partial<Record<string, LookupKind>> = {
    api_key: 'apiKey',
    service_principal: 'servicePrincipal',
    user: 'user',
  }
  return { kind: kinds[shown.principal_type], id: shown.principal_id }
}
