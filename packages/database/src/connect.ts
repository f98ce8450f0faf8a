import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrismaPg } from '@prisma/adapter-pg'
import { Problem, problem } from '@wp/contracts'
import { type Log, noLog } from '@wp/runtime'
import { isConnectionError } from './connection/error-classification.ts'
import { checkIn, checkOut, openPool } from './connection/pool.ts'
import type { Query } from './connection/query.ts'
import { createRoutedAdapter } from './connection/routed-adapter.ts'
import { createScopedClient, type ScopedClient } from './connection/scoped-client.ts'
import { assertNotNested, type ConnectionStorage, ScopedConnection } from './connection/scoped-connection.ts'
import type { Database } from './database.ts'
import { TransactionRunner } from './transaction/transaction-runner.ts'

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

/** Opens a service's database. Connects at first use, so it starts with PostgreSQL away too. */
export function connectDatabase<Client>(options: ConnectOptions<Client>): Database<Client> {
  const { url, workerUrl, shard, poolSize = 3, workerPoolSize = 2, log = noLog } = options
  const pool = openPool({ url, size: poolSize, name: 'app', readOnly: true, log })
  const worker = openPool({ url: workerUrl, size: workerPoolSize, name: 'worker', readOnly: false, log })
  const connections: ConnectionStorage = new AsyncLocalStorage()
  const prisma = options.prisma(createRoutedAdapter(connections))
  const db = createScopedClient(prisma)
  const listeners = new Set<(queue: string) => void>()
  const notifyWake = (queue: string) => {
    for (const listener of listeners) listener(queue)
  }
  const writer = new TransactionRunner({ pool, connections, db, notifyWake, shard, log })

  async function read<T>(workspaceId: string | null, work: ReadWork<Client, T>): Promise<T> {
    const current = connections.getStore()
    if (current?.isSharedWithReads === true) {
      await current.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId ?? ''])
      return await work(db, current.query)
    }
    assertNotNested(connections, 'read')
    const [client] = await checkOut(pool, (candidate) => candidate.query(setSessionWorkspace(workspaceId)))
    const connection = new ScopedConnection(client, false)
    try {
      return await connections.run(connection, async () => await work(db, connection.query))
    } finally {
      await connection.end()
      checkIn(client)
    }
  }

  return {
    shard,
    worker,
    read: (scope, work) => read(scope.workspaceId, work).catch(rethrowAsUnavailable),
    transact: (caller, work) => writer.transact(caller, work).catch(rethrowAsUnavailable),
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async ping() {
      await Promise.all([pool.query('SELECT 1'), worker.query('SELECT 1')])
    },
    hasSchema: cacheTrue(async () => {
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
function rethrowAsUnavailable(error: unknown): never {
  if (error instanceof Problem || !isConnectionError(error)) throw error
  const detail = 'The database is not available at the moment'
  throw problem('service_unavailable', { detail, cause: error, headers: { 'retry-after': '1' } })
}

/** Set at every taking, to nothing as well, so that no connection keeps the workspace of its last use. */
const setSessionWorkspace = (workspaceId: string | null) => ({
  name: 'enter',
  text: `SELECT set_config('app.workspace_id', $1, false)`,
  values: [workspaceId ?? ''],
})

/** A schema that was seen stays: asking again would make readiness depend on a shared server. */
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
