import { connect } from 'node:net'
import { Problem, problem } from '@wp/contracts'
import type { Pool, PoolClient } from 'pg'
import { isConnectionError } from './connection/error-classification.ts'
import { type ReadScope, turnKey } from './connection/fair-pool.ts'
import type { Query } from './connection/query.ts'
import { scopeValues, setScopeLocally } from './connection/scope-settings.ts'
import type { ScopedClient } from './connection/scoped-client.ts'
import { assertNotNested, type OpenConnection, ScopedConnection } from './connection/scoped-connection.ts'
import type { Database } from './database.ts'
import { TransactionRunner, type TransactionRunnerOptions } from './transaction/transaction-runner.ts'

/** Code of a cancel request (PostgreSQL, "Message Formats"). */
const cancelRequest = 80_877_102
const timeoutMs = 5_000

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

/**
 * Cancels the running statement of a connection when a signal is aborted.
 * @returns a function that stops watching the signal, and returns true if a cancel request was sent: it may still
 *   arrive later, so the connection must not be used again
 */
function cancelOnAbort(client: PoolClient, signal: AbortSignal | undefined): () => boolean {
  let isSent = false
  const cancel = () => {
    isSent = true
    sendCancelRequest(client)
  }
  signal?.addEventListener('abort', cancel, { once: true })
  return () => {
    signal?.removeEventListener('abort', cancel)
    return isSent
  }
}

/** Sends one cancel request over a connection of its own. Without it, the statement ends at its timeout. */
function sendCancelRequest(client: PoolClient): void {
  const { host, port } = client
  // Present at run time, but not declared: what the server sent after login to identify the session.
  const key = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')].map(Number)
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.resume()
  socket.end(encodeMessage(cancelRequest, ...key))
}

/** Encodes a message: its length, which includes itself, and its numbers. */
function encodeMessage(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  bytes.writeInt32BE(bytes.length)
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number | 0, 4 + 4 * index)
  return bytes
}
