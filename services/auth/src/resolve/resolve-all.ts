import type { Presented, Resolution } from '@wp/contracts'
import type { Database } from '@wp/database'
import {
  keyStandings,
  keyStandingsByHash,
  machineStandings,
  sessionStandings,
  userStandings,
} from '../store/standing.ts'
import { resolveApiKey, resolveMachineToken, resolveStoredCaller, resolveUserToken } from './resolution.ts'

/** What credentials, or callers stored with jobs, may do now: in the order asked, one statement for each kind of them. */
export async function resolveAll(pool: Database['worker'], items: readonly Presented[]): Promise<Resolution[]> {
  const asked = namesOf(items)
  const [hashes, keys, machines, users, sessions] = await Promise.all([
    keyStandingsByHash(pool, asked('hash')),
    keyStandings(pool, asked('key')),
    machineStandings(pool, asked('machine')),
    userStandings(pool, asked('user')),
    sessionStandings(pool, asked('session')),
  ])
  function resolve(shown: Presented): Resolution {
    switch (shown.type) {
      case 'api_key':
        return resolveApiKey(shown, hashes.get(shown.hash))
      case 'token':
        return shown.principal_type === 'user'
          ? resolveUserToken(shown, sessions.get(shown.session_id ?? ''))
          : resolveMachineToken(machines.get(shown.principal_id))
      case 'caller':
        return resolveStoredCaller(shown, {
          key: keys.get(shown.principal_id),
          machine: machines.get(shown.principal_id),
          user: users.get(shown.principal_id),
        })
    }
  }
  return items.map(resolve)
}

type Kind = 'hash' | 'key' | 'machine' | 'user' | 'session'

function namesOf(items: readonly Presented[]): (kind: Kind) => string[] {
  const named = items.map(nameOf)
  return (kind) => [...new Set(named.flatMap((name) => (name.kind === kind ? [name.id] : [])))]
}

/** What has to be looked up for a credential; services and nobody are known to auth by no name. */
function nameOf(shown: Presented): { kind: Kind | undefined; id: string } {
  if (shown.type === 'api_key') return { kind: 'hash', id: shown.hash }
  if (shown.type === 'token' && shown.principal_type === 'user') return { kind: 'session', id: shown.session_id ?? '' }
  const kinds: Partial<Record<string, Kind>> = { api_key: 'key', service_principal: 'machine', user: 'user' }
  return { kind: kinds[shown.principal_type], id: shown.principal_id }
}
