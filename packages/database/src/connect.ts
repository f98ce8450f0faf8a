import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrismaPg } from '@prisma/adapter-pg'
import { Problem, problem } from '@wp/contracts'
import type { Database, Log } from './database.ts'
import { isConnectionLoss } from './failures.ts'
import { Lease, type Leases, refuseNesting } from './lease.ts'
import { giveBack, openPool, take } from './pool.ts'
import { routedAdapter } from './prisma.ts'
import type { Query } from './query.ts'
import { type ScopedClient, scopedClient } from './scoped-client.ts'
import { Writer } from './transact.ts'

interface ConnectOptions<Client> {
  /** Address as the service's app role. */
  url: string
  /** Address as the service's worker role. */
  workerUrl: string
  /** Makes the service's Prisma client: `(adapter) => new PrismaClient({ adapter })`. */
  prisma: (adapter: PrismaPg) => Client
  /** The shard this process serves. */
  shard: string
  /** Connections for requests; default 3. */
  poolSize?: number
  /** Connections for workers; default 2. */
  workerPoolSize?: number
  log?: Log
}

const silent: Log = { warn: () => {}, error: () => {} }

/** Opens a service's database. Connects at first use, so it starts with PostgreSQL away too. */
export function connectDatabase<Client>(options: ConnectOptions<Client>): Database<Client> {
  const { url, workerUrl, shard, poolSize = 3, workerPoolSize = 2, log = silent } = options
  const pool = openPool({ url, size: poolSize, name: 'app', readOnly: true, log })
  const worker = openPool({ url: workerUrl, size: workerPoolSize, name: 'worker', readOnly: false, log })
  const leases: Leases = new AsyncLocalStorage()
  const prisma = options.prisma(routedAdapter(leases))
  const db = scopedClient(prisma)
  const listeners = new Set<(queue: string) => void>()
  const announce = (queue: string) => {
    for (const listener of listeners) listener(queue)
  }
  const writer = new Writer({ pool, leases, db, announce, shard, log })

  async function read<T>(workspaceId: string | null, work: ReadWork<Client, T>): Promise<T> {
    const held = leases.getStore()
    if (held?.lends === true) {
      await held.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId ?? ''])
      return await work(db, held.query)
    }
    refuseNesting(leases, 'read')
    const [client] = await take(pool, (candidate) => candidate.query(enter(workspaceId)))
    const lease = new Lease(client, false)
    try {
      return await leases.run(lease, async () => await work(db, lease.query))
    } finally {
      await lease.end()
      giveBack(client)
    }
  }

  return {
    shard,
    worker,
    read: (scope, work) => read(scope.workspaceId, work).catch(asUnavailable),
    transact: (caller, work) => writer.transact(caller, work).catch(asUnavailable),
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async ping() {
      await Promise.all([pool.query('SELECT 1'), worker.query('SELECT 1')])
    },
    hasSchema: rememberYes(async () => {
      const { rows } = await worker.query<{ there: boolean }>(
        `SELECT to_regclass('platform.jobs') IS NOT NULL AND to_regclass('public._prisma_migrations') IS NOT NULL AS there`,
      )
      return rows[0]?.there === true
    }),
    async close() {
      await disconnect(prisma)
      await Promise.all([pool.end(), worker.end()])
    },
  }
}

type ReadWork<Client, T> = (db: ScopedClient<Client>, query: Query) => Promise<T>

/** That the database is away is the platform's trouble and passes: 503 to whoever asks, the cause to the log. */
function asUnavailable(error: unknown): never {
  if (error instanceof Problem || !isConnectionLoss(error)) throw error
  const detail = 'The database is not available at the moment'
  throw problem('service_unavailable', { detail, cause: error, headers: { 'retry-after': '1' } })
}

/** Set at every taking, to nothing as well, so that no connection keeps the workspace of its last use. */
const enter = (workspaceId: string | null) => ({
  name: 'enter',
  text: `SELECT set_config('app.workspace_id', $1, false)`,
  values: [workspaceId ?? ''],
})

/** A schema that was seen stays: asking again would make readiness depend on a shared server. */
function rememberYes(ask: () => Promise<boolean>): () => Promise<boolean> {
  let yes = false
  return async () => {
    yes ||= await ask().catch(() => false)
    return yes
  }
}

async function disconnect(prisma: unknown): Promise<void> {
  if (typeof prisma !== 'object' || prisma === null || !('$disconnect' in prisma)) return
  if (typeof prisma.$disconnect === 'function') await prisma.$disconnect()
}
