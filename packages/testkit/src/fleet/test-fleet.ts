import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServiceName, type SessionAnswer, scopes } from '@wp/contracts'
import type { Database } from '@wp/database'
import { createTestDatabase, type TestDatabase } from '../databases.ts'
import { testNats } from '../shared.ts'
import { temporaryKeys } from './environment.ts'
import { type Edge, type Fleet, type FleetOptions, startFleet } from './fleet.ts'
import { beside, type Cell, type CellOptions, planCells } from './test-cells.ts'
import { readAnswer, type TestAnswer } from './test-service.ts'

/** What opens a workspace of a test fleet. */
export interface Tenant {
  workspaceId: string
  ownerId: string
  clientId: string
  clientSecret: string
  apiKey: string
}

/** A fleet with databases, shard and keys of its own, two seeded workspaces, and requests through its edge. */
export interface TestFleet extends Fleet {
  /** The workspace most tests act in, and one that is a stranger to it. */
  owner: Tenant
  stranger: Tenant
  databases: ReadonlyMap<string, TestDatabase>
  /** Those beside the first, by their shard. */
  cells: ReadonlyMap<string, Cell>
  /** A token by form A, through the edge. */
  token(tenant: Tenant, scope?: string): Promise<string>
  /** A session of a user, as signing in would begin it. */
  signIn(userId: string): Promise<SessionAnswer>
  /** Many tokens of a tenant's service principal with every scope, beside the token endpoint and its limits. */
  tokens(tenant: Tenant, count: number): Promise<string[]>
  /** An access token of a session of its own, as a signed-in user has it. */
  userToken(userId: string, narrowed?: { workspaceId?: string; scopes?: readonly string[] }): Promise<string>
  /** @param shard of another cell, where it shall live */
  seed(name: string, shard?: string): Promise<Tenant>
  request(method: string, path: string, options?: EdgeRequest): Promise<TestAnswer>
}

export interface EdgeRequest {
  /** A bearer token or an API key, told apart by their form. */
  as?: string
  body?: unknown
  /** Sent as it is, with its own content type in `headers`. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  headers?: Record<string, string>
  /** Which edge is asked, where there are several; default the first. */
  through?: Pick<Edge, 'baseUrl'>
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
  ): Promise<{ session: { sessionId: string }; answer: SessionAnswer }>
  issueAccessToken(context: unknown, subject: unknown): Promise<string>
}

const nobody = (shard: string) => ({
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
  const free = testNats()
  const { natsUrl: url = free.url, shard = free.shard } = options
  const keysDirectory = await temporaryKeys()
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
    env: plan.tell(options.env ?? {}),
    settings: { ...common.settings, upstreams: plan.addresses },
    async database(service: ServiceName) {
      const database = await createTestDatabase(service, options.postgresUrl)
      databases.set(service, database)
      return database
    },
  })
  const cells = await beside(fleet, plan, { ...common, env: options.env ?? {}, postgresUrl: options.postgresUrl })

  async function seed(name: string, inShard?: string): Promise<Tenant> {
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
      const { session, answer } = await context.database.transact(nobody(shard), (tx) =>
        auth.startSession(context, tx, { userId, method: 'mail' }),
      )
      const { workspaceId, scopes } = narrowed
      if (workspaceId === undefined && scopes === undefined) return { answer, token: answer.access_token }
      const subject = {
        type: 'user',
        id: userId,
        sessionId: session.sessionId,
        ...(workspaceId === undefined ? {} : { home: { workspaceId, shard, location: 'TST' } }),
        ...(scopes === undefined ? {} : { scopes }),
      }
      return { answer, token: await auth.issueAccessToken(context, subject) }
    } finally {
      await context.close()
    }
  }

  async function request(
    method: string,
    path: string,
    { as, body, rawBody, headers = {}, through = fleet }: EdgeRequest = {},
  ): Promise<TestAnswer> {
    const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const credential =
      as === undefined ? {} : as.startsWith('key_') ? { 'x-api-key': as } : { authorization: `Bearer ${as}` }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, headers: { ...type, ...credential, ...headers }, redirect: 'manual' as const }
    const sent = content === undefined ? init : { ...init, body: content, duplex: 'half' as const }
    return readAnswer(await fetch(through.baseUrl + path, sent))
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
        const home = { workspaceId, shard, location: 'TST' }
        const subject = { type: 'service_principal', id: clientId, home, scopes }
        return await Promise.all(Array.from({ length: count }, () => auth.issueAccessToken(context, subject)))
      } finally {
        await context.close()
      }
    },
    signIn: async (userId) => (await startSession(userId)).answer,
    userToken: async (userId, narrowed) => (await startSession(userId, narrowed)).token,
    async stop() {
      await fleet.stop()
      await Promise.all([...cells.values()].map((cell) => cell.stop()))
      await Promise.all([...databases.values()].map((database) => database.drop()))
      await rm(keysDirectory, { recursive: true, force: true })
    },
  }
}
