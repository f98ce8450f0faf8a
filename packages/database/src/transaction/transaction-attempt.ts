import type { RequestCaller } from '@wp/contracts'
import type { Log } from '@wp/runtime'
import type { PoolClient } from 'pg'
import { isConnectionError, isTransactionConflict } from '../connection/error-classification.ts'
import { type FairPool, turnKey } from '../connection/fair-pool.ts'
import { scopeValues, setScopeLocally } from '../connection/scope-settings.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'
import { type ConnectionStorage, ScopedConnection } from '../connection/scoped-connection.ts'
import { type IdempotencyKey, idempotencyKey, resolveClaim, storeProblemStatement } from './idempotency.ts'
import type { Transaction } from './transaction.ts'
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
  /** Number of statements of the work itself. */
  statements: number
}

interface WorkToCommit<T, Client> {
  committed: CommittedWork<T, Client>
  /** The statements that commit it. */
  closing: string[]
  /** False if the work has sent no statement to a transaction that is opened late. */
  isOpen: boolean
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
  try {
    if (key) resolveClaim(key, claimResult(connection.opened))
    return await runAndCommit(options, { client, caller, key, work })
  } catch (error) {
    await rollBack(client, options.log)
    throw error
  } finally {
    connection.checkIn()
  }
}

/**
 * Runs the work of a transaction that has nothing to claim or lock. It is opened by the first statement of the work;
 * if there is none, it takes one round trip. A connection that broke while idle is replaced, as by `checkOut`.
 */
async function runOpenedLate<Client, T>(
  options: AttemptOptions<Client>,
  caller: RequestCaller,
  work: Work<Client, T>,
): Promise<CommittedWork<T, Client>> {
  const { pool, log } = options
  const opening = openingStatements(caller, undefined)
  let unsent: WorkToCommit<T, Client> | undefined
  for (let attempt = 0; ; attempt++) {
    const { client, checkIn } = await pool.checkOut(turnKey(caller), async () => {})
    let failure: unknown
    const send = async (statements: string[]) => {
      await sendStatements(client, statements).catch((error: unknown) => {
        failure = error
        throw error
      })
    }
    try {
      const connection = new ScopedConnection(client, true, () => send(opening))
      const ended = unsent ?? (await runWork(options, { caller, key: undefined, work, connection }))
      if (failure !== undefined) throw failure // which the work has ignored
      if (ended.isOpen) await sendStatements(client, ended.closing)
      else {
        // Only events, which have identifiers: they can be sent again if the connection breaks.
        unsent = ended
        await send([...opening, ...ended.closing])
      }
      return ended.committed
    } catch (error) {
      await rollBack(client, log)
      if (!isConnectionError(failure) || attempt === pool.usage().size) throw error
    } finally {
      checkIn(isConnectionError(failure))
    }
  }
}

interface OpenTransaction<Client, T> {
  client: PoolClient
  caller: RequestCaller
  key: IdempotencyKey | undefined
  work: Work<Client, T>
}

async function runAndCommit<Client, T>(
  options: AttemptOptions<Client>,
  { client, caller, key, work }: OpenTransaction<Client, T>,
): Promise<CommittedWork<T, Client>> {
  try {
    const connection = new ScopedConnection(client, true)
    const { closing, committed } = await runWork(options, { caller, key, work, connection })
    await sendStatements(client, closing)
    return committed
  } catch (error) {
    const problemStatement = key && !isTransactionConflict(error) && storeProblemStatement(key, error)
    if (problemStatement) await storeProblem(client, problemStatement, options.log)
    throw error
  }
}

async function runWork<Client, T>(
  { connections, db, shard }: AttemptOptions<Client>,
  { caller, key, work, connection }: Omit<OpenTransaction<Client, T>, 'client'> & { connection: ScopedConnection },
): Promise<WorkToCommit<T, Client>> {
  const buffer = new TransactionBuffer(caller, db, connection, shard)
  const result = await connections
    .run(connection, async () => {
      await checkPrecondition(caller, connection)
      return await work(buffer)
    })
    .finally(() => connection.end())
  const { isOpen, statements } = connection
  const closing = closingStatements(caller, key, { buffer, result, isRepeatable: !isOpen })
  return { committed: { result, buffer, statements }, closing, isOpen }
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
