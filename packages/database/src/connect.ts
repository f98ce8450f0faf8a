import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { type Log, noLog, type Tracing } from '@wp/runtime'
import { Pool } from 'pg'
import { createAccess } from './access.ts'
import { openFairPool } from './connection/fair-pool.ts'
import { openPool, usageOf } from './connection/pool.ts'
import { createScopedClient } from './connection/scoped-client.ts'
import { type ConnectionStorage, currentConnection } from './connection/scoped-connection.ts'
import type { Database } from './database.ts'
import { sessionIndexLookups } from './transaction/worker-transaction.ts'

/** Maximum number of prepared statements per connection. Value lists make the set of Prisma's statements unbounded. */
const maxPreparedStatements = 300

interface ConnectOptions<Client, PoolName extends string> {
  /** Connection URL of the service's app role. */
  url: string
  /** Connection URL of the service's worker role. */
  workerUrl: string
  /** Creates the service's Prisma client: `(adapter) => new PrismaClient({ adapter })`. */
  prisma: (adapter: PrismaPg) => Client
  /** The shard this process serves. */
  shard: string
  /** Connections for requests; default 4. One workspace holds all but one at most. */
  poolSize?: number
  /** Connections of the app role for background work; default 3. One workspace holds all but one at most. */
  backgroundPoolSize?: number
  /** Connections of the worker role for workers; default 2. */
  workerPoolSize?: number
  /** Connections of each extra pool of the worker role. */
  extraPoolSizes?: Readonly<Record<PoolName, number>>
  /** Extra pools whose statements all find a few rows by index; see `indexLookups`. */
  indexLookupPools?: readonly PoolName[]
  /** Maximum time a request waits for a connection; default 5,000. */
  maxWaitMs?: number
  log?: Log
  /** Traces transactions; undefined if tracing is off. */
  tracing?: Tracing | undefined
}

/** Maximum time background work waits for a connection. */
const maxBackgroundWaitMs = 30_000

/**
 * Opens a service's database. Connects on first use, so a process starts while PostgreSQL is unavailable. Every pool
 * opens connections as they are needed and closes those idle for a minute.
 */
export function connectDatabase<Client, PoolName extends string = never>(
  options: ConnectOptions<Client, PoolName>,
): Database<Client, PoolName> {
  const { url, workerUrl, shard, poolSize = 4, backgroundPoolSize = 3, workerPoolSize = 2, log = noLog } = options
  const { tracing, maxWaitMs = 5_000 } = options
  const app = { url, readOnly: true, pipeline: true, log }
  const requests = openFairPool({ ...app, size: poolSize, name: 'app', maxWaitMs })
  const jobs = openFairPool({ ...app, size: backgroundPoolSize, name: 'background', maxWaitMs: maxBackgroundWaitMs })
  const indexLookupPools = new Set<string>(options.indexLookupPools)
  const openWorkerPool = (name: string, size: number) => {
    const sessionSettings = indexLookupPools.has(name) ? sessionIndexLookups : undefined
    return openPool({ url: workerUrl, size, name, readOnly: false, pipeline: true, sessionSettings, log })
  }
  const worker = openWorkerPool('worker', workerPoolSize)
  const extraPools = mapValues(options.extraPoolSizes, openWorkerPool)
  const connections: ConnectionStorage = new AsyncLocalStorage()
  const prisma = options.prisma(createRoutedAdapter(connections))
  const db = createScopedClient(prisma)
  const listeners = new Set<(queue: string) => void>()
  const notifyWake = (queue: string) => {
    for (const listener of listeners) listener(queue)
  }
  const access = { connections, db, notifyWake, shard, log, tracing }
  const shared = {
    shard,
    tracing,
    worker,
    extraPools,
    onWake(listener: (queue: string) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    poolUsage: () => [requests.usage(), jobs.usage(), ...[worker, ...Object.values<Pool>(extraPools)].map(usageOf)],
    hasSchema: cacheTrue(() => findSchema(worker)),
    async close() {
      await disconnect(prisma)
      const pools = [worker, ...Object.values<Pool>(extraPools)]
      await Promise.all([requests.close(), jobs.close(), ...pools.map((pool) => pool.end())])
    },
  }
  const background: Database<Client, PoolName> = {
    ...shared,
    ...createAccess({ ...access, pool: jobs, worker }),
    get background() {
      return background
    },
  }
  return { ...shared, ...createAccess({ ...access, pool: requests, worker }), background }
}

function mapValues<Name extends string>(
  sizes: Readonly<Record<Name, number>> | undefined,
  open: (name: string, size: number) => Pool,
): Record<Name, Pool> {
  const entries = Object.entries<number>(sizes ?? {}).map(([name, size]) => [name, open(name, size)])
  return Object.fromEntries(entries) // has the names of `sizes`; without sizes there are none
}

async function findSchema(worker: Pool): Promise<boolean> {
  const { rows } = await worker.query<{ exists: boolean }>(
    `SELECT to_regclass('platform.jobs') IS NOT NULL AND to_regclass('public._prisma_migrations') IS NOT NULL AS exists`,
  )
  return rows[0]?.exists === true
}

/** Caches a positive result only; a failed check counts as false. */
function cacheTrue(check: () => Promise<boolean>): () => Promise<boolean> {
  let isTrue = false
  return async () => {
    isTrue ||= await check().catch(() => false)
    return isTrue
  }
}

async function disconnect(prisma: unknown): Promise<void> {
  if (typeof prisma !== 'object' || prisma === null || !('$disconnect' in prisma)) return
  if (typeof prisma.$disconnect === 'function') await prisma.$disconnect()
}

/**
 * Creates a Prisma adapter that sends every query to the connection of the surrounding `read` or `transact`. Prisma and
 * plain SQL thus share one transaction without Prisma's interactive transactions, which cost four times as much.
 *
 * PrismaPg (7.10) uses a pool in three ways: `query(config)`; `connect()`, for the transaction around nested writes;
 * `on` and `removeListener`. It requires an instance of `pg.Pool`; the one passed here never opens a connection.
 */
function createRoutedAdapter(connections: ConnectionStorage): PrismaPg {
  const pool: Pool = Object.assign(new Pool({ max: 1 }), {
    query: async (config: Parameters<ReturnType<typeof currentConnection>['send']>[0]) =>
      await currentConnection(connections).send(config),
    connect: async () => await currentConnection(connections).openNested(),
  })
  return new PrismaPg(pool, { statementNameGenerator: createStatementNamer() })
}

/**
 * Creates a function that names statements, so that PostgreSQL parses and plans each once per connection: a third more
 * reads per second. Prisma lists the columns it selects, so a column added by a migration does not change the result
 * type of a prepared statement.
 */
function createStatementNamer(): (query: SqlQuery) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const existing = names.get(sql)
    if (existing !== undefined) return existing
    // pg does not prepare a statement with an empty name.
    if (names.size === maxPreparedStatements) return ''
    const name = `prisma_${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
