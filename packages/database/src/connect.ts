import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrismaPg } from '@prisma/adapter-pg'
import { Problem, problem } from '@wp/contracts'
import { type Log, noLog } from '@wp/runtime'
import { cancelOnAbort } from './connection/cancel-on-abort.ts'
import { isConnectionError } from './connection/error-classification.ts'
import { checkIn, checkOut, openPool } from './connection/pool.ts'
import type { Query } from './connection/query.ts'
import { createRoutedAdapter } from './connection/routed-adapter.ts'
import { createScopedClient, type ScopedClient } from './connection/scoped-client.ts'
import { assertNotNested, type ConnectionStorage, ScopedConnection } from './connection/scoped-connection.ts'
import type { Database } from './database.ts'
import { TransactionRunner } from './transaction/transaction-runner.ts'

interface ConnectOptions<Client> {
  /** Connection URL of the service's app role. */
  url: string
  /** Connection URL of the service's worker role. */
  workerUrl: string
  /** Creates the service's Prisma client: `(adapter) => new PrismaClient({ adapter })`. */
  prisma: (adapter: PrismaPg) => Client
  /** The shard this process serves. */
  shard: string
  /** Connections for requests; default 3. */
  poolSize?: number
  /** Connections for workers; default 2. */
  workerPoolSize?: number
  log?: Log
}

/** Opens a service's database. Connects on first use, so a process starts while PostgreSQL is unavailable. */
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
  const transactions = new TransactionRunner({ pool, connections, db, notifyWake, shard, log })

  async function read<T>({ workspaceId, signal }: ReadScope, work: ReadWork<Client, T>): Promise<T> {
    signal?.throwIfAborted()
    const current = connections.getStore()
    if (current?.isSharedWithReads === true) {
      await current.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId ?? ''])
      return await work(db, current.query)
    }
    assertNotNested(connections, 'read')
    const [client] = await checkOut(pool, (candidate) => candidate.query(setSessionWorkspace(workspaceId)))
    const connection = new ScopedConnection(client, false)
    const stopWatching = cancelOnAbort(client, signal)
    try {
      signal?.throwIfAborted()
      return await connections.run(connection, async () => await work(db, connection.query))
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      await connection.end()
      if (stopWatching()) client.release(true)
      else checkIn(client)
    }
  }

  return {
    shard,
    worker,
    read: (scope, work) => read(scope, work).catch(rethrowAsUnavailable),
    transact: (caller, work) => transactions.transact(caller, work).catch(rethrowAsUnavailable),
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async ping() {
      await Promise.all([pool.query('SELECT 1'), worker.query('SELECT 1')])
    },
    hasSchema: cacheTrue(() => findSchema(worker)),
    async close() {
      await disconnect(prisma)
      await Promise.all([pool.end(), worker.end()])
    },
  }
}

type ReadScope = Parameters<Database['read']>[0]
type ReadWork<Client, T> = (db: ScopedClient<Client>, query: Query) => Promise<T>

/** An unavailable database is a temporary failure: the caller gets 503, the log gets the cause. */
function rethrowAsUnavailable(error: unknown): never {
  if (error instanceof Problem || !isConnectionError(error)) throw error
  const detail = 'The database is temporarily unavailable; retry shortly'
  throw problem('service_unavailable', { detail, cause: error, headers: { 'retry-after': '1' } })
}

/** Sent at every checkout, also for no workspace, so that no connection keeps the workspace of its previous use. */
const setSessionWorkspace = (workspaceId: string | null) => ({
  name: 'set_workspace',
  text: `SELECT set_config('app.workspace_id', $1, false)`,
  values: [workspaceId ?? ''],
})

async function findSchema(worker: Database['worker']): Promise<boolean> {
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
