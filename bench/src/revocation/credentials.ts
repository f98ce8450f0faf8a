import { join } from 'node:path'
import type { TestFleet } from '@wp/testkit'

/** A credential that an edge lets in, and how it is revoked. */
export interface RevocableCredential {
  kind: 'key' | 'session'
  headers: Record<string, string>
  /** To be deleted by the owner. */
  path: string
}

/** As much of the auth service as signing somebody in needs. */
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

/** Keys and sessions, as many of each, made as everybody makes them. @param owner bearer token of a user */
export async function createRevocableCredentials(
  fleet: TestFleet,
  owner: string,
  each: number,
): Promise<RevocableCredential[]> {
  const keys = await mapConcurrently(Array.from({ length: each }), 8, async () => {
    const { status, body } = await fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} })
    if (status !== 201) throw new Error(`no key: ${status} ${JSON.stringify(body)}`)
    const headers: Record<string, string> = { 'x-api-key': body.data.api_key }
    return { kind: 'key' as const, headers, path: `/v1/auth/api-key/${body.data.key_id}` }
  })
  return [...keys, ...(await mintSessions(fleet, each))].toSorted((a, b) => (a.path < b.path ? 1 : -1))
}

async function mintSessions(fleet: TestFleet, count: number): Promise<RevocableCredential[]> {
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

/** Works through a list, so many at once; the answers in its order. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const entries = items.entries()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of entries) results[index] = await work(item)
    }),
  )
  return results
}
