import {
  eventually,
  findFreePort,
  type Nats,
  startNats,
  startPostgres,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'
import { Client } from 'pg'
import { startProcess } from './edge/start-process.ts'
import { report } from './report.ts'
import { type CredentialMonitor, monitorCredential } from './revocation/credential-monitor.ts'
import { createRevocableCredentials, mapConcurrently, type RevocableCredential } from './revocation/credentials.ts'

const path = '/v1/data/sources'
const cacheSeconds = 10
/** Shorter than an operator's 60, so that the run ends. */
const staleSeconds = 5

interface RevocationBench {
  fleet: TestFleet
  nats: Nats
  edges: string[]
  /** Of a user: may revoke keys and their own sessions. */
  owner: string
}

interface Scenario {
  name: string
  /** What must hold, in seconds from the DELETE's 200. */
  boundSeconds: number
  run(world: RevocationBench, credentials: readonly RevocableCredential[]): Promise<number[]>
}

/**
 * Three edges as processes, each of which knows every credential: from a DELETE's 200 to the last admission anywhere, in
 * milliseconds, for keys and sessions; with everything there, with the broker started anew in the middle, with it away,
 * and with auth stopped after the last DELETE. Away means away for long: all are revoked at once, and each is shown to each edge four times
 * a second.
 *
 * Options: credentials of each kind and scenario (default 100), `--only word` for scenarios whose name has it.
 */
export async function run(options: string[]): Promise<void> {
  const each = Number(options.find((option) => /^\d+$/.test(option)) ?? 100)
  const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : undefined
  const chosen = scenarios.filter(({ name }) => only === undefined || name.includes(only))
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  process.env.WP_TEST_POSTGRES = postgres.url
  process.env.WP_TEST_NATS = nats.url
  process.env.WP_TEST_RUN = `bench${process.pid}`
  const upstream = `http://127.0.0.1:${await findFreePort()}`
  const settings = { UPSTREAM: upstream, LOG_LEVEL: 'fatal', IDENTITY_STALE_SECONDS: String(staleSeconds) }
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth'], env: { gateway: settings } })
  const keys = fleet.env('auth').ASSERTION_KEYS_FILE ?? ''
  const upstreamProcess = startProcess('upstream.ts', { PORT: new URL(upstream).port, ASSERTION_KEYS_FILE: keys })
  try {
    await liftLimits(fleet)
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    await eventually(() => fetch(`${upstream}/stats`))
    const owner = await fleet.userToken(fleet.owner.ownerId)
    const rows: Record<string, string | number>[] = []
    for (const { name, boundSeconds: bound, run: revoke } of chosen) {
      const credentials = await createRevocableCredentials(fleet, owner, each)
      const took = await revoke({ fleet, nats, edges, owner }, credentials)
      for (const kind of ['key', 'session'] as const)
        rows.push({
          scenario: name,
          kind,
          ...summarize(took.filter((_, at) => credentials[at]?.kind === kind)),
          bound: bound * 1000,
        })
    }
    report('revocation', rows, { edges: edges.length, cacheSeconds, staleSeconds })
  } finally {
    upstreamProcess.kill('SIGKILL')
    await fleet.stop()
    await Promise.all([postgres.stop(), nats.stop()])
  }
}

const scenarios: readonly Scenario[] = [
  { name: 'everything there', boundSeconds: 1, run: (world, credentials) => revokeSequentially(world, credentials) },
  {
    name: 'broker started anew in the middle',
    boundSeconds: cacheSeconds,
    run: async (world, credentials) =>
      await revokeSequentially(world, credentials, (done) =>
        done === credentials.length / 2 ? world.nats.restart() : undefined,
      ),
  },
  {
    name: 'broker away',
    boundSeconds: cacheSeconds,
    async run(world, credentials) {
      const took = await revokeConcurrently(world, credentials, () => world.nats.kill())
      await world.nats.restart()
      return took
    },
  },
  {
    name: 'auth stopped, broker there',
    boundSeconds: 1,
    async run(world, credentials) {
      const took = await revokeConcurrently(world, credentials, undefined, () => world.fleet.member('auth').kill())
      await world.fleet.restart('auth')
      return took
    },
  },
  {
    name: 'auth stopped, broker away',
    boundSeconds: cacheSeconds + staleSeconds,
    async run(world, credentials) {
      const stopAuth = () => world.fleet.member('auth').kill()
      const took = await revokeConcurrently(world, credentials, () => world.nats.kill(), stopAuth)
      await Promise.all([world.nats.restart(), world.fleet.restart('auth')])
      return took
    },
  },
]

/** Each is known everywhere, is revoked, and is shown to every edge without a pause until it is refused everywhere. */
async function revokeSequentially(
  world: RevocationBench,
  credentials: readonly RevocableCredential[],
  after: (done: number) => Promise<void> | undefined = () => undefined,
): Promise<number[]> {
  let done = 0
  return await mapConcurrently(credentials, 4, async (credential) => {
    const watched = monitorCredential(credential, { edges: world.edges, path, everyMs: 2 })
    const took = await revoke(world, credential, watched)
    done += 1
    await after(done)
    return took
  })
}

/** All are known everywhere; then they are revoked as fast as that goes. */
async function revokeConcurrently(
  world: RevocationBench,
  credentials: readonly RevocableCredential[],
  before: (() => Promise<void>) | undefined,
  after?: () => Promise<void>,
): Promise<number[]> {
  const watched = credentials.map((credential) => ({
    credential,
    watching: monitorCredential(credential, { edges: world.edges, path, everyMs: 250 }),
  }))
  await Promise.all(watched.map(({ watching }) => watching.admittedEverywhere))
  await before?.()
  let open = watched.length
  return await Promise.all(
    await mapConcurrently(watched, 16, async ({ credential, watching }) => {
      const took = await sendRevocation(world, credential, watching)
      open -= 1
      if (open === 0) await after?.()
      return took
    }).then((all) => all.map((wait) => wait())),
  )
}

async function revoke(
  world: RevocationBench,
  credential: RevocableCredential,
  watched: CredentialMonitor,
): Promise<number> {
  await watched.admittedEverywhere
  return await (await sendRevocation(world, credential, watched))()
}

/** @returns how to wait for the last admission: milliseconds after the DELETE was answered */
async function sendRevocation(
  world: RevocationBench,
  { path: at }: RevocableCredential,
  watched: CredentialMonitor,
): Promise<() => Promise<number>> {
  const { status, body } = await world.fleet.request('DELETE', at, { as: world.owner })
  const answeredAt = performance.now()
  if (status !== 200) throw new Error(`${at} was not deleted: ${status} ${JSON.stringify(body)}`)
  watched.expectRefusal()
  return async () => Math.max(0, (await watched.ended) - answeredAt)
}

async function liftLimits(fleet: TestFleet): Promise<void> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = 1000000000')
  await database.end()
}

function summarize(milliseconds: readonly number[]) {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { revoked: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
