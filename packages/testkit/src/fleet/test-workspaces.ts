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

/** Limits of an access token: one workspace, some scopes. */
export interface TokenRestriction {
  workspaceId?: string
  scopes?: readonly string[]
}

/** The exports of the auth service that are used. Imported dynamically, because the testkit depends on no service. */
interface AuthModule {
  seed(
    env: Record<string, string>,
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
  seed(name: string, cell: { shard: string; location: string }): Promise<TestWorkspace>
  startSession(userId: string): Promise<SessionTokens>
  /** Starts a session and issues an access token for it. */
  issueUserToken(userId: string, restriction?: TokenRestriction): Promise<string>
  /** Issues tokens of the workspace's service principal with every scope. */
  issuePrincipalTokens(workspace: TestWorkspace, count: number): Promise<string[]>
  /** Issues a token for each of many service principals, with every scope. */
  issueTokenOfEach(principals: readonly TestPrincipal[]): Promise<string[]>
}

/** A service principal of a workspace. */
export type TestPrincipal = Pick<TestWorkspace, 'clientId' | 'workspaceId'>

const authModule = join(import.meta.dirname, '../../../../services/auth/src/index.ts')

/** Imports the auth service. Import it before the fleet starts, so that the fleet does not wait for it. */
export const importAuth = (): Promise<AuthModule> => import(authModule)

/**
 * Creates the factory.
 * @param readEnv returns the environment of the auth service
 * @param shard the home shard
 */
export function createWorkspaceFactory(
  auth: AuthModule,
  readEnv: () => Record<string, string>,
  shard: string,
): WorkspaceFactory {
  type Context = Awaited<ReturnType<AuthModule['openContext']>>

  async function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
    const context = await auth.openContext(readEnv())
    try {
      return await work(context)
    } finally {
      await context.close()
    }
  }

  const startSession = (context: Context, userId: string) =>
    context.database.transact(anonymousCaller(shard), (tx) =>
      auth.startSession(context, tx, { userId, method: 'mail' }),
    )

  const issueTokens = (principals: readonly TestPrincipal[]) =>
    withContext((context) =>
      Promise.all(
        principals.map(({ clientId, workspaceId }) => {
          const placement = { workspaceId, shard, location: 'TST' }
          return auth.issueAccessToken(context, { type: 'service_principal', id: clientId, placement, scopes })
        }),
      ),
    )

  return {
    async seed(name, cell) {
      const env = { ...readEnv(), OPEN_SHARDS: `${cell.shard}:${cell.location}` }
      const seeded = await auth.seed(env, { workspaceName: name, ownerEmail: `${name}@example.com` })
      return {
        workspaceId: seeded.workspace_id,
        ownerId: seeded.owner_user_id,
        clientId: seeded.client_id,
        clientSecret: seeded.client_secret ?? '',
        apiKey: seeded.api_key ?? '',
      }
    },
    startSession: (userId) => withContext(async (context) => (await startSession(context, userId)).tokens),
    issueUserToken: (userId, { workspaceId, scopes: allowed } = {}) =>
      withContext(async (context) => {
        const { session, tokens } = await startSession(context, userId)
        if (workspaceId === undefined && allowed === undefined) return tokens.access_token
        return auth.issueAccessToken(context, {
          type: 'user',
          id: userId,
          sessionId: session.sessionId,
          authenticatedAt: session.authenticatedAt,
          ...(workspaceId === undefined ? {} : { placement: { workspaceId, shard, location: 'TST' } }),
          ...(allowed === undefined ? {} : { scopes: allowed }),
        })
      }),
    issuePrincipalTokens: (workspace, count) => issueTokens(Array.from({ length: count }, () => workspace)),
    issueTokenOfEach: issueTokens,
  }
}

const anonymousCaller = (shard: string) => ({
  principal: { id: 'anonymous', type: 'anonymous' as const },
  credentialId: 'anonymous',
  workspaceId: null,
  shard,
  location: 'TST',
  scopes: [],
  requestId: 'test-sign-in',
})
