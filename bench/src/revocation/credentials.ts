import { join } from 'node:path'
import type { TestFleet } from '@wp/testkit'

/** A credential that the gateway admits until it is revoked. */
export interface RevocableCredential {
  kind: 'key' | 'session'
  headers: Record<string, string>
  /** A DELETE request to it revokes the credential. */
  path: string
}

/** The parts of the auth service that create a session. */
interface AuthModule {
  openContext(env: Record<string, string>): Promise<{
    database: { transact<T>(caller: unknown, work: (tx: unknown) => Promise<T>): Promise<T> }
    close(): Promise<void>
  }>
  startSession(
    context: unknown,
    tx: unknown,
    signIn: { userId: string; method: 'mail' },
  ): Promise<{ session: { sessionId: string }; tokens: { access_token: string } }>
}

/**
 * Creates API keys and sessions and returns them alternately.
 *
 * @param owner access token of a user
 * @param countPerKind how many keys and how many sessions
 */
export async function createRevocableCredentials(
  fleet: TestFleet,
  owner: string,
  countPerKind: number,
): Promise<RevocableCredential[]> {
  const keys = await mapConcurrently(Array.from({ length: countPerKind }), 8, async () => {
    const { status, body } = await fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} })
    if (status !== 201) throw new Error(`POST /v1/auth/api-key: ${status} ${JSON.stringify(body)}`)
    const headers: Record<string, string> = { 'x-api-key': body.data.api_key }
    return { kind: 'key' as const, headers, path: `/v1/auth/api-key/${body.data.key_id}` }
  })
  const sessions = await createSessions(fleet, countPerKind)
  return keys.flatMap((key, index) => [key, ...sessions.slice(index, index + 1)])
}

async function createSessions(fleet: TestFleet, count: number): Promise<RevocableCredential[]> {
  const auth: AuthModule = await import(join(import.meta.dirname, '../../../services/auth/src/index.ts'))
  const context = await auth.openContext(fleet.env('auth'))
  const caller = {
    principal: { id: 'anonymous', type: 'anonymous' },
    credentialId: 'anonymous',
    workspaceId: null,
    shard: fleet.env('auth').SHARD,
    location: 'TST',
    scopes: [],
    requestId: 'bench',
  }
  const signIn = { userId: fleet.owner.ownerId, method: 'mail' as const }
  try {
    return await mapConcurrently(Array.from({ length: count }), 2, async () => {
      const { session, tokens } = await context.database.transact(caller, (tx) =>
        auth.startSession(context, tx, signIn),
      )
      const headers: Record<string, string> = { authorization: `Bearer ${tokens.access_token}` }
      return { kind: 'session' as const, headers, path: `/v1/auth/sessions/${session.sessionId}` }
    })
  } finally {
    await context.close()
  }
}

/** Maps the items to results, a limited number at a time. The results are in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const entries = items.entries()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const [index, item] of entries) results[index] = await work(item)
    }),
  )
  return results
}
