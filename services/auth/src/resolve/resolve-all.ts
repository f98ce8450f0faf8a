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

/** Resolves presented credentials and stored callers with one statement per kind of record. Keeps the order. */
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
          apiKey: apiKeysById.get(keyIdOf(presented)),
          servicePrincipal: servicePrincipals.get(presented.principal_id),
          user: users.get(presented.principal_id),
          session: sessions.get(presented.credential_id),
        })
    }
  }
  return items.map(resolve)
}

/** Returns the key of a stored caller. A portal link is a principal of its own, whose key is its credential. */
const keyIdOf = ({ principal_type: type, ...caller }: StoredCaller): string =>
  type === 'portal_link' ? caller.credential_id : caller.principal_id

type StoredCaller = Extract<PresentedCredential, { type: 'caller' }>

type LookupKind = 'apiKeyHash' | 'apiKey' | 'servicePrincipal' | 'user' | 'session'

function collectLookupIds(items: readonly PresentedCredential[]): (kind: LookupKind) => string[] {
  const lookupKeys = items.flatMap(lookupKeysOf)
  return (kind) => [...new Set(lookupKeys.flatMap((key) => (key.kind === kind ? [key.id] : [])))]
}

/** Returns the records to look up for a credential; none for services and anonymous callers. */
function lookupKeysOf(presented: PresentedCredential): { kind: LookupKind | undefined; id: string }[] {
  if (presented.type === 'api_key') return [{ kind: 'apiKeyHash', id: presented.hash }]
  if (presented.type === 'token' && presented.principal_type === 'user')
    return [{ kind: 'session', id: presented.session_id ?? '' }]
  if (presented.principal_type === 'portal_link') return [{ kind: 'apiKey', id: keyIdOf(presented) }]
  const kinds: Partial<Record<string, LookupKind>> = {
    api_key: 'apiKey',
    service_principal: 'servicePrincipal',
    user: 'user',
  }
  const principal = { kind: kinds[presented.principal_type], id: presented.principal_id }
  const isApplication = presented.type === 'caller' && presented.client_id !== undefined
  return isApplication ? [principal, { kind: 'session', id: presented.credential_id }] : [principal]
}
