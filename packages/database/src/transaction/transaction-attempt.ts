import type { RequestCaller } from '@wp/contracts'
import type { Log } from '@wp/runtime'
import type { PoolClient } from 'pg'
import { isTransactionConflict } from '../connection/error-classification.ts'
import { type FairPool, turnKey } from '../connection/fair-pool.ts'
import { scopeValues, setScopeLocally } from '../connection/scope-settings.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'
import { type ConnectionStorage, type OpenConnection, ScopedConnection } from '../connection/scoped-connection.ts'
import { type IdempotencyKey, idempotencyKey, resolveClaim, storeProblemStatement } from './idempotency.ts'
import type { Transaction } from './transaction.ts'
import type { OutboxEvent } from './transaction-buffer.ts'
import { TransactionBuffer } from './transaction-buffer.ts'
import {
  claimResult,
  closingStatements,
  openingStatements,
  sendStatements,
  storeProblemStatements,
} from './transaction-statements.ts'

export interface AttemptOptions<Client> {
  pool: FairPool
  connections: ConnectionStorage
  db: ScopedClient<Client>
  /** The shard of the service itself. */
  shard: string
  log: Log
}

export type Work<Client, T> = (tx: Transaction<Client>) => Promise<T>

export interface CommittedWork<T, Client> {
  result: T
  buffer: TransactionBuffer<Client>
  events: readonly OutboxEvent[]
  /** Number of statements of the work itself. */
  statements: number
}

/** Runs the work in a transaction and commits it. @throws what the work throws, or the error of a statement */
export async function attemptTransaction<Client, T>(
  options: AttemptOptions<Client>,
  caller: RequestCaller,
  work: Work<Client, T>,
): Promise<CommittedWork<T, Client>> {
  const key = idempotencyKey(caller)
  if (key === undefined && caller.request?.resource === undefined) return await runOpenedLate(options, caller, work)
  const connection = await options.pool.checkOut(turnKey(caller), (candidate) =>
    sendStatements(candidate, openingStatements(caller, key)),
  )
  const { client } = connection
  const open: OpenConnection = async (first) => ({ ...connection, opened: await first(client) })
  try {
    if (key) resolveClaim(key, claimResult(connection.opened))
    return await runAndCommit(options, { caller, key, work, client, connection: new ScopedConnection(open, true) })
  } catch (error) {
    await rollBack(client, options.log)
    throw error
  } finally {
    connection.checkIn()
  }
}

/**
 * Runs the work of a transaction that has nothing to claim or lock. It is opened by the first statement of the work, in
 * the same round trip; if there is none, it takes one in all.
 */
async function runOpenedLate<Client, T>(
  options: AttemptOptions<Client>,
  caller: RequestCaller,
  work: Work<Client, T>,
): Promise<CommittedWork<T, Client>> {
  const { pool, log } = options
  const opening = openingStatements(caller, undefined)
  const slot = await pool.acquire(turnKey(caller))
  const connection = new ScopedConnection(
    (first) =>
      slot.checkOut(async (client) => {
        const [, result] = await Promise.all([sendStatements(client, opening), first(client)])
        return result
      }),
    true,
  )
  try {
    const committed = await runWork(options, { caller, work, connection })
    const opened = await connection.opened // throws why it failed, which the work has ignored
    if (opened !== undefined) await sendStatements(opened.client, closingStatements(caller, undefined, committed))
    else {
      // Only events, which have identifiers: they can be sent again if the connection breaks.
      let attempts = 0
      const { checkIn } = await slot.checkOut((client) => {
        attempts += 1
        const closing = closingStatements(caller, undefined, committed, attempts > 1)
        return sendStatements(client, [...opening, ...closing])
      })
      checkIn()
    }
    return committed
  } catch (error) {
    const opened = await connection.opened // throws why it failed: Prisma wraps that in an error of its own
    if (opened !== undefined) await rollBack(opened.client, log)
    throw error
  } finally {
    const opened = await connection.opened?.catch(() => undefined)
    opened?.checkIn()
    slot.free()
  }
}

interface OpenTransaction<Client, T> {
  connection: ScopedConnection
  caller: RequestCaller
  work: Work<Client, T>
}

async function runAndCommit<Client, T>(
  options: AttemptOptions<Client>,
  { client, key, ...transaction }: OpenTransaction<Client, T> & { client: PoolClient; key: IdempotencyKey | undefined },
): Promise<CommittedWork<T, Client>> {
  try {
    const committed = await runWork(options, transaction)
    await sendStatements(client, closingStatements(transaction.caller, key, committed))
    return committed
  } catch (error) {
    const problemStatement = key && !isTransactionConflict(error) && storeProblemStatement(key, error)
    if (problemStatement) await storeProblem(client, problemStatement, options.log)
    throw error
  }
}

async function runWork<Client, T>(
  { connections, db, shard }: AttemptOptions<Client>,
  { caller, work, connection }: OpenTransaction<Client, T>,
): Promise<CommittedWork<T, Client>> {
  const buffer = new TransactionBuffer(caller, db, connection, shard)
  const result = await connections
    .run(connection, async () => {
      await checkPrecondition(caller, connection)
      return await work(buffer)
    })
    .finally(() => connection.end())
  return { result, buffer, events: buffer.collectEvents(result), statements: connection.statements }
}

async function storeProblem(client: PoolClient, problemStatement: string, log: Log): Promise<void> {
  try {
    await sendStatements(client, storeProblemStatements(problemStatement))
  } catch (error) {
    // The caller still gets the problem; a retry with the same key runs the work again.
    log.warn(
      { event: 'idempotency.problem_not_stored', err: error },
      'failed to store the problem for its idempotency key',
    )
  }
}

async function rollBack(client: PoolClient, log: Log): Promise<void> {
  if (client.getTransactionStatus() === 'I') return
  try {
    await client.query('ROLLBACK')
  } catch (error) {
    // The check-in closes the connection, which makes PostgreSQL roll back.
    log.warn({ event: 'transaction.connection_closed', err: error }, 'rollback failed; closing the connection')
  }
}

/**
 * Checks the precondition of the request on the connection of the transaction, then restores the caller's scope.
 *
 * @throws Problem `precondition_failed`
 */
async function checkPrecondition(caller: RequestCaller, connection: ScopedConnection): Promise<void> {
  const { precondition } = caller.request ?? {}
  if (precondition === undefined) return
  await connection.shareWithReads(precondition.check)
  await connection.query(setScopeLocally, scopeValues(caller))
}
