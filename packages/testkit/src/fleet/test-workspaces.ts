import { join } from 'node:path'
import { type SessionTokens, scopes } from '@wp/contracts'
import type { Database } from '@wp/database'

/** The credentials of a seeded workspace. */
export interface TestWorkspace {
  workspaceId: string
  ownerId: string
  clientId: string
  clientSecret: string
  apiKey: string
}

/** The cell of a workspace. */
interface CellPlacement {
  shard: string
  location: string
}

/** Limits of an access token: one workspace, some scopes. */
export interface TokenRestriction {
  workspaceId?: string
  scopes?: readonly string[]
}

/** The exports of the auth service that are used. Imported dynamically, because the testkit depends on no service. */
interface AuthModule {
  seed(
    context: unknown,
    options: { workspaceName: string; ownerEmail: string },
  ): Promise<{
    workspace_id: string
    owner_user_id: string
    client_id: string
    client_secret: string | null
    api_key: string | null
  }>
  openContext(env: Record<string, string>): Promise<{ database: Database; close(): Promise<void> }>
  startSession(
    context: unknown,
    tx: unknown,
    signIn: { userId: string; method: string },
  ): Promise<{ session: { sessionId: string; authenticatedAt: Date }; tokens: SessionTokens }>
  issueAccessToken(context: unknown, subject: unknown): Promise<string>
}

/** Creates workspaces, sessions and tokens with the code of the auth service, without its endpoints and rate limits. */
export interface WorkspaceFactory {
  /** Creates a workspace in a cell. */
  seed(name: string, cell: CellPlacement): Promise<TestWorkspace>
  startSession(userId: string): Promise<SessionTokens>
  /** Starts a session and issues an access token for it. */
  issueUserToken(userId: string, restriction?: TokenRestriction): Promise<string>
  /** Issues tokens of the workspace's service principal with every scope. */
  issuePrincipalTokens(workspace: TestWorkspace, count: number): Promise<string[]>
  /** Issues a token for each of many service principals, with every scope. */
  issueTokenOfEach(principals: readonly TestPrincipal[]): Promise<string[]>
  close(): Promise<void>
}

/** A service principal of a workspace. */
export type TestPrincipal = Pick<TestWorkspace, 'clientId' | 'workspaceId'>

const authModule = join(import.meta.dirname, '../../../../services/auth/src/index.ts')

/** Imports the auth service. Import it before the fleet starts, so that the fleet does not wait for it. */
export const importAuth = (): Promise<AuthModule> => import(authModule)

/**
 * Creates the factory.
 * @param readEnv returns the environment of the auth service
 * @param home the home cell
 */
export function createWorkspaceFactory(
  auth: AuthModule,
  readEnv: () => Record<string, string>,
  home: CellPlacement,
): WorkspaceFactory {
  type Context = Awaited<ReturnType<AuthModule['openContext']>>

  // A context costs much more than what is done with it, so each environment has one until the fleet stops.
  const contexts = new Map<string, Promise<Context>>()

  function openContext(cell = home): Promise<Context> {
    const env = { ...readEnv(), OPEN_SHARDS: `${cell.shard}:${cell.location}` }
    const key = JSON.stringify(env)
    const context = contexts.get(key) ?? auth.openContext(env)
    contexts.set(key, context)
    context.catch(() => contexts.delete(key))
    return context
  }

  const startSession = (context: Context, userId: string) =>
    context.database.transact(anonymousCaller(home), (tx) => auth.startSession(context, tx, { userId, method: 'mail' }))

  async function issueTokenOfEach(principals: readonly TestPrincipal[]): Promise<string[]> {
    const context = await openContext()
    const tokens = principals.map(({ clientId, workspaceId }) => {
      const placement = { workspaceId, ...home }
      return auth.issueAccessToken(context, { type: 'service_principal', id: clientId, placement, scopes })
    })
    return await Promise.all(tokens)
  }

  return {
    async seed(name, cell) {
      const context = await openContext(cell)
      const seeded = await auth.seed(context, { workspaceName: name, ownerEmail: `${name}@example.com` })
      return {
        workspaceId: seeded.workspace_id,
        ownerId: seeded.owner_user_id,
        clientId: seeded.client_id,
        clientSecret: seeded.client_secret ?? '',
        apiKey: seeded.api_key ?? '',
      }
    },
    startSession: async (userId) => (await startSession(await openContext(), userId)).tokens,
    async issueUserToken(userId, { workspaceId, scopes: allowed } = {}) {
      const context = await openContext()
      const { session, tokens } = await startSession(context, userId)
      if (workspaceId === undefined && allowed === undefined) return tokens.access_token
      return await auth.issueAccessToken(context, {
        type: 'user',
        id: userId,
        sessionId: session.sessionId,
        authenticatedAt: session.authenticatedAt,
        ...(workspaceId === undefined ? {} : { placement: { workspaceId, ...home } }),
        ...(allowed === undefined ? {} : { scopes: allowed }),
      })
    },
    issuePrincipalTokens: (workspace, count) => issueTokenOfEach(Array.from({ length: count }, () => workspace)),
    issueTokenOfEach,
    async close() {
      for (const context of await Promise.allSettled(contexts.values()))
        if (context.status === 'fulfilled') await context.value.close()
    },
  }
}

const anonymousCaller = (home: CellPlacement) => ({
  principal: { id: 'anonymous', type: 'anonymous' as const },
  credentialId: 'anonymous',
  workspaceId: null,
  ...home,
  scopes: [],
  requestId: 'test-sign-in',
})
