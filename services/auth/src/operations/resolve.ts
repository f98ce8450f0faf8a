import type { PresentedCredential, Resolution } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Context, Operation } from '../context.ts'
import { resolveApiKey, resolveServicePrincipalToken, resolveStoredCaller, resolveUserToken } from '../resolution.ts'
import {
  findApiKeysByHash,
  findApiKeysById,
  findServicePrincipalsById,
  findSessionsById,
  findUsersById,
} from '../store/credentials/credential-lookup.ts'

/** Resolves one credential or stored caller to its current identity. */
export const resolve: Operation<'resolve'> = async (context, _caller, { body }) => {
  const [resolution] = await resolveAll(context.database.extraPools.resolve, [body])
  if (resolution === undefined) throw new Error('every credential that was asked for is resolved')
  recordUse(context, resolution)
  return resolution
}

/** Resolves many credentials at once. On the critical path of every request to the platform. */
export const resolveMany: Operation<'resolveMany'> = async (context, _caller, { body }) => {
  const resolutions = await resolveAll(context.database.extraPools.resolve, body.items)
  for (const resolution of resolutions) recordUse(context, resolution)
  return { resolutions }
}

/** Records the use of a credential: a user's session, or the service principal or API key itself. */
function recordUse({ lastUsed }: Context, resolution: Resolution): void {
  if (resolution.status === 'active') lastUsed.record(resolution.identity.credential_id)
}

/** Resolves presented credentials and stored callers with one statement per kind of record. Keeps the order. */
async function resolveAll(pool: Database['worker'], items: readonly PresentedCredential[]): Promise<Resolution[]> {
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
