import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServiceName, type SessionTokens, scopes } from '@wp/contracts'
import type { Database } from '@wp/database'
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts'
import { testNats } from '../test-servers.ts'
import { createTemporaryKeys } from './environment.ts'
import { type Edge, type Fleet, type FleetOptions, startFleet } from './fleet.ts'
import { type Cell, type CellOptions, planCells, startCells } from './test-cells.ts'
import { readResponse, type TestResponse } from './test-service.ts'

/** What opens a workspace of a test fleet. */
export interface TestWorkspace {
  workspaceId: string
  ownerId: string
  clientId: string
  clientSecret: string
  apiKey: string
}

/** A fleet with databases, shard and keys of its own, two seeded workspaces, and requests through its edge. */
export interface TestFleet extends Fleet {
  /** The workspace most tests act in, and one that is a stranger to it. */
  owner: TestWorkspace
  stranger: TestWorkspace
  databases: ReadonlyMap<string, TestDatabase>
  /** Those beside the first, by their shard. */
  cells: ReadonlyMap<string, Cell>
  /** A token by form A, through the edge. */
  token(tenant: TestWorkspace, scope?: string): Promise<string>
  /** A session of a user, as signing in would begin it. */
  signIn(userId: string): Promise<SessionTokens>
  /** Many tokens of a tenant's service principal with every scope, beside the token endpoint and its limits. */
  tokens(tenant: TestWorkspace, count: number): Promise<string[]>
  /** An access token of a session of its own, as a signed-in user has it. */
  userToken(userId: string, restriction?: { workspaceId?: string; scopes?: readonly string[] }): Promise<string>
  /** @param shard of another cell, where it shall live */
  seed(name: string, shard?: string): Promise<TestWorkspace>
  request(method: string, path: string, options?: EdgeRequestOptions): Promise<TestResponse>
}

export interface EdgeRequestOptions {
  /** A bearer token or an API key, told apart by their form. */
  as?: string
  body?: unknown
  /** Sent as it is, with its own content type in `headers`. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  headers?: Record<string, string>
  /** Which edge is asked, where there are several; default the first. */
  edge?: Pick<Edge, 'baseUrl'>
}

export interface TestFleetOptions extends Partial<Pick<FleetOptions, 'mode' | 'services' | 'env'>> {
  /** A broker of the test's own, where it is to be stopped. */
  natsUrl?: string
  /** Where the broker must know it before; default one that nobody else has. */
  shard?: string
  /** Likewise a PostgreSQL, as its superuser. */
  postgresUrl?: string
  /** Cells beside the first, with the same services but for the global ones. */
  cells?: readonly CellOptions[]
  outbound?: Record<string, string>
}

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
  ): Promise<{ session: { sessionId: string }; tokens: SessionTokens }>
  issueAccessToken(context: unknown, subject: unknown): Promise<string>
}

const createAnonymousCaller = (shard: string) => ({
  principal: { id: 'anonymous', type: 'anonymous' as const },
  credentialId: 'anonymous',
  workspaceId: null,
  shard,
  location: 'TST',
  scopes: [],
  requestId: 'test-sign-in',
})

const authModule = join(import.meta.dirname, '../../../../services/auth/src/index.ts')

/** Starts a fleet for tests; services that are left out answer 503. */
export async function startTestFleet(options: TestFleetOptions = {}): Promise<TestFleet> {
  const shared = testNats()
  const { natsUrl: url = shared.url, shard = shared.shard } = options
  const keysDirectory = await createTemporaryKeys()
  const databases = new Map<string, TestDatabase>()
  const auth: AuthModule = await import(authModule)
  const plan = await planCells(options.cells ?? [], options.services)
  const common: Pick<FleetOptions, 'mode'> & { settings: FleetOptions['settings'] } = {
    mode: options.mode ?? 'in-process',
    settings: {
      shard,
      location: 'TST',
      natsUrl: url,
      keysDirectory,
      kek: randomBytes(32).toString('base64'),
      logLevel: process.env.WP_TEST_LOG ?? 'silent',
      outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128', ...options.outbound },
    },
  }
  const fleet = await startFleet({
    ...common,
    ...(options.services === undefined ? {} : { services: options.services }),
    env: plan.addCells(options.env ?? {}),
    settings: { ...common.settings, upstreams: plan.addresses },
    async database(service: ServiceName) {
      const database = await createTestDatabase(service, options.postgresUrl)
      databases.set(service, database)
      return database
    },
  })
  const cells = await startCells(fleet, plan, { ...common, env: options.env ?? {}, postgresUrl: options.postgresUrl })

  async function seed(name: string, inShard?: string): Promise<TestWorkspace> {
    const place = inShard === undefined ? `${shard}:TST` : `${inShard}:${cells.get(inShard)?.location}`
    const env = { ...fleet.env('auth'), OPEN_SHARDS: place }
    const made = await auth.seed(env, { workspaceName: name, ownerEmail: `${name}@example.com` })
    return {
      workspaceId: made.workspace_id,
      ownerId: made.owner_user_id,
      clientId: made.client_id,
      clientSecret: made.client_secret ?? '',
      apiKey: made.api_key ?? '',
    }
  }

  async function startSession(userId: string, narrowed: { workspaceId?: string; scopes?: readonly string[] } = {}) {
    const context = await auth.openContext(fleet.env('auth'))
    try {
      const { session, tokens } = await context.database.transact(createAnonymousCaller(shard), (tx) =>
        auth.startSession(context, tx, { userId, method: 'mail' }),
      )
      const { workspaceId, scopes } = narrowed
      if (workspaceId === undefined && scopes === undefined) return { tokens, token: tokens.access_token }
      const subject = {
        type: 'user',
        id: userId,
        sessionId: session.sessionId,
        ...(workspaceId === undefined ? {} : { placement: { workspaceId, shard, location: 'TST' } }),
        ...(scopes === undefined ? {} : { scopes }),
      }
      return { tokens, token: await auth.issueAccessToken(context, subject) }
    } finally {
      await context.close()
    }
  }

  async function request(
    method: string,
    path: string,
    { as, body, rawBody, headers = {}, edge = fleet }: EdgeRequestOptions = {},
  ): Promise<TestResponse> {
    const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const credential =
      as === undefined ? {} : as.startsWith('key_') ? { 'x-api-key': as } : { authorization: `Bearer ${as}` }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, headers: { ...type, ...credential, ...headers }, redirect: 'manual' as const }
    const sent = content === undefined ? init : { ...init, body: content, duplex: 'half' as const }
    return readResponse(await fetch(edge.baseUrl + path, sent))
  }

  const [owner, stranger] = await Promise.all([seed('owner'), seed('stranger')])
  return {
    ...fleet,
    owner,
    stranger,
    databases,
    cells,
    seed,
    request,
    async token({ clientId, clientSecret }, scope) {
      const body = { client_id: clientId, client_secret: clientSecret, ...(scope === undefined ? {} : { scope }) }
      const answer = await request('POST', '/v1/auth/token', { body })
      if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.access_token
    },
    async tokens({ clientId, workspaceId }, count) {
      const context = await auth.openContext(fleet.env('auth'))
      try {
        const placement = { workspaceId, shard, location: 'TST' }
        const subject = { type: 'service_principal', id: clientId, placement, scopes }
        return await Promise.all(Array.from({ length: count }, () => auth.issueAccessToken(context, subject)))
      } finally {
        await context.close()
      }
    },
    signIn: async (userId) => (await startSession(userId)).tokens,
    userToken: async (userId, narrowed) => (await startSession(userId, narrowed)).token,
    async stop() {
      await fleet.stop()
      await Promise.all([...cells.values()].map((cell) => cell.stop()))
      await Promise.all([...databases.values()].map((database) => database.drop()))
      await rm(keysDirectory, { recursive: true, force: true })
    },
  }
}
