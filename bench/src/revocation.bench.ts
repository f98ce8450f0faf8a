import { eventually, freePort, type Nats, startNats, startPostgres, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { start } from './edge/start.ts'
import { report } from './report.ts'
import { mint, pooled, type Revocable } from './revocation/credentials.ts'
import { type Watch, watch } from './revocation/watch.ts'

const path = '/v1/data/sources'
const cacheSeconds = 10
/** Shorter than an operator's 60, so that the run ends. */
const staleSeconds = 5

interface World {
  fleet: TestFleet
  nats: Nats
  edges: string[]
  /** Of a user: may revoke keys and their own sessions. */
  owner: string
}

interface Scenario {
  name: string
  /** What must hold, in seconds from the DELETE's 200. */
  bound: number
  run(world: World, credentials: readonly Revocable[]): Promise<number[]>
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
  const upstream = `http://127.0.0.1:${await freePort()}`
  const settings = { UPSTREAM: upstream, LOG_LEVEL: 'fatal', IDENTITY_STALE_SECONDS: String(staleSeconds) }
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth'], env: { gateway: settings } })
  const keys = fleet.env('auth').ASSERTION_KEYS_FILE ?? ''
  const upstreamProcess = start('upstream.ts', { PORT: new URL(upstream).port, ASSERTION_KEYS_FILE: keys })
  try {
    await liftLimits(fleet)
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    await eventually(() => fetch(`${upstream}/stats`))
    const owner = await fleet.userToken(fleet.owner.ownerId)
    const rows: Record<string, string | number>[] = []
    for (const { name, bound, run: revoke } of chosen) {
      const credentials = await mint(fleet, owner, each)
      const took = await revoke({ fleet, nats, edges, owner }, credentials)
      for (const kind of ['key', 'session'] as const)
        rows.push({
          scenario: name,
          kind,
          ...summary(took.filter((_, at) => credentials[at]?.kind === kind)),
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
  { name: 'everything there', bound: 1, run: (world, credentials) => oneAfterTheOther(world, credentials) },
  {
    name: 'broker started anew in the middle',
    bound: cacheSeconds,
    run: async (world, credentials) =>
      await oneAfterTheOther(world, credentials, (done) =>
        done === credentials.length / 2 ? world.nats.restart() : undefined,
      ),
  },
  {
    name: 'broker away',
    bound: cacheSeconds,
    async run(world, credentials) {
      const took = await allAtOnce(world, credentials, () => world.nats.kill())
      await world.nats.restart()
      return took
    },
  },
  {
    name: 'auth stopped, broker there',
    bound: 1,
    async run(world, credentials) {
      const took = await allAtOnce(world, credentials, undefined, () => world.fleet.member('auth').kill())
      await world.fleet.restart('auth')
      return took
    },
  },
  {
    name: 'auth stopped, broker away',
    bound: cacheSeconds + staleSeconds,
    async run(world, credentials) {
      const stopAuth = () => world.fleet.member('auth').kill()
      const took = await allAtOnce(world, credentials, () => world.nats.kill(), stopAuth)
      await Promise.all([world.nats.restart(), world.fleet.restart('auth')])
      return took
    },
  },
]

/** Each is known everywhere, is revoked, and is shown to every edge without a pause until it is refused everywhere. */
async function oneAfterTheOther(
  world: World,
  credentials: readonly Revocable[],
  after: (done: number) => Promise<void> | undefined = () => undefined,
): Promise<number[]> {
  let done = 0
  return await pooled(credentials, 4, async (credential) => {
    const watched = watch(credential, { edges: world.edges, path, everyMs: 2 })
    const took = await revoke(world, credential, watched)
    done += 1
    await after(done)
    return took
  })
}

/** All are known everywhere; then they are revoked as fast as that goes. */
async function allAtOnce(
  world: World,
  credentials: readonly Revocable[],
  before: (() => Promise<void>) | undefined,
  after?: () => Promise<void>,
): Promise<number[]> {
  const watched = credentials.map((credential) => ({
    credential,
    watching: watch(credential, { edges: world.edges, path, everyMs: 250 }),
  }))
  await Promise.all(watched.map(({ watching }) => watching.known))
  await before?.()
  let open = watched.length
  return await Promise.all(
    await pooled(watched, 16, async ({ credential, watching }) => {
      const took = await sendRevocation(world, credential, watching)
      open -= 1
      if (open === 0) await after?.()
      return took
    }).then((all) => all.map((wait) => wait())),
  )
}

async function revoke(world: World, credential: Revocable, watched: Watch): Promise<number> {
  await watched.known
  return await (await sendRevocation(world, credential, watched))()
}

/** @returns how to wait for the last admission: milliseconds after the DELETE was answered */
async function sendRevocation(world: World, { path: at }: Revocable, watched: Watch): Promise<() => Promise<number>> {
  const { status, body } = await world.fleet.request('DELETE', at, { as: world.owner })
  const answeredAt = performance.now()
  if (status !== 200) throw new Error(`${at} was not deleted: ${status} ${JSON.stringify(body)}`)
  watched.revoke()
  return async () => Math.max(0, (await watched.ended) - answeredAt)
}

async function liftLimits(fleet: TestFleet): Promise<void> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = 1000000000')
  await database.end()
}

function summary(milliseconds: readonly number[]) {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { revoked: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
