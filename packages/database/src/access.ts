import { Problem, problem } from '@wp/contracts'
import type { Pool, PoolClient } from 'pg'
import { cancelOnAbort } from './connection/cancel-on-abort.ts'
import { isConnectionError } from './connection/error-classification.ts'
import { type ReadScope, turnKey } from './connection/fair-pool.ts'
import type { Query } from './connection/query.ts'
import { scopeValues, setScopeLocally } from './connection/scope-settings.ts'
import type { ScopedClient } from './connection/scoped-client.ts'
import { assertNotNested, type OpenConnection, ScopedConnection } from './connection/scoped-connection.ts'
import type { Database } from './database.ts'
import { TransactionRunner, type TransactionRunnerOptions } from './transaction/transaction-runner.ts'

interface AccessOptions<Client> extends TransactionRunnerOptions<Client> {
  worker: Pool
}

type ReadWork<Client, T> = (db: ScopedClient<Client>, query: Query) => Promise<T>

/**
 * Creates the reads and writes of a database that use the connections of one pool. Longer than most functions: its
 * functions share the connections.
 */
export function createAccess<Client>(
  options: AccessOptions<Client>,
): Pick<Database<Client>, 'read' | 'transact' | 'ping'> {
  const { pool, worker, connections, db } = options
  const transactions = new TransactionRunner(options)

  async function read<T>(scope: ReadScope, work: ReadWork<Client, T>): Promise<T> {
    const { signal } = scope
    signal?.throwIfAborted()
    const current = connections.getStore()
    if (current?.isSharedWithReads === true) {
      await current.query(setScopeLocally, scopeValues(scope))
      return await work(db, current.query)
    }
    assertNotNested(connections, 'read')
    const slot = await pool.acquire(turnKey(scope), signal)
    let stopWatching = () => false
    const open: OpenConnection = async (first) => {
      const prepare = async (client: PoolClient) => {
        signal?.throwIfAborted()
        stopWatching()
        stopWatching = cancelOnAbort(client, signal)
        const [, result] = await Promise.all([client.query(setSessionScope(scope)), first(client)])
        return result
      }
      return await slot.checkOut(prepare)
    }
    const connection = new ScopedConnection(open, false, signal)
    try {
      const result = await connections.run(connection, async () => await work(db, connection.query))
      await connection.opened // throws why it failed, which the work has ignored
      return result
    } catch (error) {
      signal?.throwIfAborted()
      await connection.opened // throws why it failed: Prisma wraps that in an error of its own
      throw error
    } finally {
      await connection.end()
      const opened = await connection.opened?.catch(() => undefined)
      const isUnusable = stopWatching()
      opened?.checkIn(isUnusable)
      slot.free()
    }
  }

  return {
    read: (scope, work) => read(scope, work).catch(rethrowAsUnavailable),
    transact: (caller, work) => transactions.transact(caller, work).catch(rethrowAsUnavailable),
    async ping() {
      await Promise.all([pool.ping(), worker.query('SELECT 1')])
    },
  }
}

/**
 * Throws Problem `service_unavailable` for an error of the connection, with the error as its cause for the log;
 * rethrows any other error. An unavailable database, or a pool without a free connection, is a temporary failure.
 */
export function rethrowAsUnavailable(error: unknown): never {
  if (error instanceof Problem || !isConnectionError(error)) throw error
  const detail = 'The database is temporarily unavailable; retry shortly'
  throw problem('service_unavailable', { detail, cause: error, headers: { 'retry-after': '1' } })
}

/** Sent at every checkout, also for no workspace, so that no connection keeps the scope of its previous use. */
const setSessionScope = (scope: ReadScope) => ({
  name: 'set_scope',
  text: `SELECT set_config('app.workspace_id', $1, false), set_config('app.customer_id', $2, false)`,
  values: scopeValues(scope),
})
