import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type ServiceName, type SessionTokens, signerNames } from '@wp/contracts'
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts'
import { testNats } from '../test-servers.ts'
import { type EdgeRequestOptions, sendToEdge } from './edge-request.ts'
import { createTemporaryKeys } from './environment.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { FleetOptions } from './fleet-options.ts'
import { type Cell, type CellOptions, type CellPlan, planCells, startCells } from './test-cells.ts'
import { testTimeLimits, unlimitedOpenEndpoints } from './test-limits.ts'
import type { TestResponse } from './test-service.ts'
import {
  createWorkspaceFactory,
  importAuth,
  type TestPrincipal,
  type TestWorkspace,
  type TokenRestriction,
} from './test-workspaces.ts'

/** A fleet with its own databases, shard and keys, two seeded workspaces, and a client for its edge. */
export interface TestFleet extends Fleet {
  /** The workspace in which most tests act. */
  owner: TestWorkspace
  /** Another workspace, which must not reach the first. */
  stranger: TestWorkspace
  databases: ReadonlyMap<string, TestDatabase>
  /** The other cells, by shard. */
  cells: ReadonlyMap<string, Cell>
  /** Gets a token from the token endpoint with the client credentials of the workspace. */
  token(workspace: TestWorkspace, scope?: string): Promise<string>
  /** Starts a session of a user, as a sign-in does. */
  signIn(userId: string): Promise<SessionTokens>
  /** Issues tokens of the workspace's service principal with every scope, without the token endpoint and its limits. */
  tokens(workspace: TestWorkspace, count: number): Promise<string[]>
  /** Issues a token for each of many service principals, with every scope. */
  tokenOfEach(principals: readonly TestPrincipal[]): Promise<string[]>
  /** Starts a session of a user and returns an access token. */
  userToken(userId: string, restriction?: TokenRestriction): Promise<string>
  /** Creates a workspace. @param shard the shard of another cell; default the home shard */
  seed(name: string, shard?: string): Promise<TestWorkspace>
  request(method: string, path: string, options?: EdgeRequestOptions): Promise<TestResponse>
}

export interface TestFleetOptions
  extends Partial<Pick<FleetOptions, 'processes' | 'services' | 'env' | 'port' | 'logger'>> {
  /** The test's own broker, if the test stops it. Default: the broker of the test run. */
  natsUrl?: string
  /** The home shard, if the broker is configured for it. Default: a unique one. */
  shard?: string
  /** The superuser's URL of the test's own PostgreSQL. Default: that of the test run. */
  postgresUrl?: string
  /** Other cells, with the same services except the global ones. */
  cells?: readonly CellOptions[]
  outbound?: Record<string, string>
  /** `default` keeps the default time and rate limits, for benchmarks. Otherwise no test depends on them. */
  limits?: 'default'
}

const location = 'TST'

/** Starts a fleet for tests. A service that is left out is unavailable: its endpoints return 503. */
export async function startTestFleet(options: TestFleetOptions = {}): Promise<TestFleet> {
  const auth = await importAuth()
  const settings = await createSettings(options)
  const plan = await planCells(options.cells ?? [], options.services)
  const env = options.limits === 'default' ? (options.env ?? {}) : addTestLimits(options.env ?? {})
  const databases = new Map<string, TestDatabase>()
  const fleet = await startFleet(fleetOptions({ ...options, env }, settings, plan, databases))
  const cells = await startCells(fleet, plan, {
    ...(options.processes === undefined ? {} : { processes: options.processes }),
    settings,
    env,
    postgresUrl: options.postgresUrl,
  })

  const workspaces = createWorkspaceFactory(auth, () => fleet.env('auth'), settings)
  const seed: TestFleet['seed'] = (name, shard = settings.shard) =>
    workspaces.seed(name, { shard, location: cells.get(shard)?.location ?? location })
  const request: TestFleet['request'] = (method, path, sent = {}) =>
    sendToEdge((sent.edge ?? fleet).baseUrl, method, path, sent)

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
      const response = await request('POST', '/v1/auth/token', { body })
      if (response.status !== 200) throw new Error(`no token: ${response.status} ${JSON.stringify(response.body)}`)
      return response.body.access_token
    },
    signIn: workspaces.startSession,
    tokens: workspaces.issuePrincipalTokens,
    tokenOfEach: workspaces.issueTokenOfEach,
    userToken: workspaces.issueUserToken,
    async stop() {
      await workspaces.close()
      await fleet.stop()
      await Promise.all([...cells.values()].map((cell) => cell.stop()))
      await Promise.all([...databases.values()].map((database) => database.drop()))
      await rm(settings.keysDirectory, { recursive: true, force: true })
    },
  }
}

/** The settings that the home cell and the other cells share. */
async function createSettings({ natsUrl, shard, outbound }: TestFleetOptions): Promise<FleetOptions['settings']> {
  const shared = testNats()
  return {
    shard: shard ?? shared.shard,
    location,
    natsUrl: natsUrl ?? shared.url,
    keysDirectory: await createTemporaryKeys(),
    kek: randomBytes(32).toString('base64'),
    logLevel: process.env.WP_TEST_LOG ?? 'silent',
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128', ...outbound },
  }
}

/** The options of the home cell. Its databases are added to `databases`. */
const fleetOptions = (
  { processes, services, env = {}, port, logger, postgresUrl }: TestFleetOptions,
  settings: FleetOptions['settings'],
  plan: CellPlan,
  databases: Map<string, TestDatabase>,
): FleetOptions => ({
  ...(processes === undefined ? {} : { processes }),
  ...(services === undefined ? {} : { services }),
  ...(port === undefined ? {} : { port }),
  ...(logger === undefined ? {} : { logger }),
  env: plan.addCells(env),
  settings: { ...settings, upstreams: plan.addresses },
  async database(service: ServiceName) {
    const database = await createTestDatabase(service, postgresUrl)
    databases.set(service, database)
    return database
  },
})

const addTestLimits = (env: NonNullable<FleetOptions['env']>): NonNullable<FleetOptions['env']> =>
  Object.fromEntries(
    signerNames.map((name) => [
      name,
      { ...testTimeLimits, ...(name === 'gateway' ? unlimitedOpenEndpoints : {}), ...env[name] },
    ]),
  )
