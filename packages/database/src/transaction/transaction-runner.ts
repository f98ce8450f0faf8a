import type { RequestCaller, RequestMetadata } from '@wp/contracts'
import { type Log, pause, type Tracing, withSpan } from '@wp/runtime'
import type { PoolClient } from 'pg'
import { isConnectionError, isTransactionConflict } from '../connection/error-classification.ts'
import { type FairPool, turnKey } from '../connection/fair-pool.ts'
import { scopeValues, setScopeLocally } from '../connection/scope-settings.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'
import { assertNotNested, type ConnectionStorage, ScopedConnection } from '../connection/scoped-connection.ts'
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

const maxAttempts = 4

export interface TransactionRunnerOptions<Client> {
  pool: FairPool
  connections: ConnectionStorage
  db: ScopedClient<Client>
  notifyWake: (queue: string) => void
  /** The shard of the service itself. */
  shard: string
  log: Log
  tracing?: Tracing | undefined
}

type Work<Client, T> = (tx: Transaction<Client>) => Promise<T>

interface CommittedWork<T, Client> {
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

/**
 * Runs write transactions; see `Database.transact`. Apart from the work itself a transaction takes two round trips: the
 * first opens it, sets the workspace and claims the idempotency key; the second writes what the work buffered and
 * commits. One round trip is enough where the work sends no statement and nothing is claimed.
 */
export class TransactionRunner<Client> {
  readonly #options: TransactionRunnerOptions<Client>
  /** Metadata of committed requests, whose response is stored and whose audit event is written. */
  readonly #committed = new WeakSet<RequestMetadata>()

  constructor(options: TransactionRunnerOptions<Client>) {
    this.#options = options
  }

  async transact<T>(caller: RequestCaller, work: Work<Client, T>): Promise<T> {
    assertNotNested(this.#options.connections, 'transact')
    if (caller.request && this.#committed.has(caller.request))
      throw new Error(
        `${caller.request.endpointId} is committed: pass the caller without "request" to a second transaction`,
      )
    const { result, buffer } = await this.#runTraced(caller, work)
    for (const queue of buffer.wakes) await this.#runAfterCommit(() => this.#options.notifyWake(queue))
    for (const action of buffer.afterCommitActions) await this.#runAfterCommit(action)
    return result
  }

  /**
   * Runs the work within a span if the caller's trace is sampled. The span is the cause of the events that are emitted.
   */
  #runTraced<T>(caller: RequestCaller, work: Work<Client, T>): Promise<CommittedWork<T, Client>> {
    const span = this.#options.tracing?.startSpan('transaction', {
      kind: 'client',
      parent: caller.traceparent,
      attributes: { 'db.system.name': 'postgresql', ...describeTransaction(caller) },
    })
    if (span === undefined) return this.#runWithRetries(caller, work)
    return withSpan(span, async () => {
      const committed = await this.#runWithRetries({ ...caller, traceparent: span.traceparent }, work)
      span.setAttributes({ 'wp.db.statements': committed.statements, 'wp.events': committed.buffer.eventCount })
      return committed
    })
  }

  async #runWithRetries<T>(caller: RequestCaller, work: Work<Client, T>): Promise<CommittedWork<T, Client>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#runOnce(caller, work)
      } catch (error) {
        if (attempt === maxAttempts || !isTransactionConflict(error)) throw error
        this.#options.log.warn(
          { event: 'transaction.conflicted', err: error, attempt, requestId: caller.requestId },
          'transaction conflict; retrying',
        )
        await pause(Math.random() * 20 * attempt)
      }
    }
  }

  async #runOnce<T>(caller: RequestCaller, work: Work<Client, T>): Promise<CommittedWork<T, Client>> {
    const key = idempotencyKey(caller)
    if (key === undefined && caller.request?.resource === undefined) return await this.#runOpenedLate(caller, work)
    const connection = await this.#options.pool.checkOut(turnKey(caller), (candidate) =>
      sendStatements(candidate, openingStatements(caller, key)),
    )
    const { client } = connection
    try {
      if (key) resolveClaim(key, claimResult(connection.opened))
      return await this.#runAndCommit(client, caller, key, work)
    } catch (error) {
      await this.#rollBack(client)
      throw error
    } finally {
      connection.checkIn()
    }
  }

  /**
   * Runs the work of a transaction that has nothing to claim or lock. It is opened by the first statement of the work;
   * if there is none, it takes one round trip. A connection that broke while idle is replaced, as by `checkOut`.
   */
  async #runOpenedLate<T>(caller: RequestCaller, work: Work<Client, T>): Promise<CommittedWork<T, Client>> {
    const { pool } = this.#options
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
        const ended = unsent ?? (await this.#runWork(caller, undefined, work, connection))
        if (failure !== undefined) throw failure // which the work has ignored
        if (ended.isOpen) await sendStatements(client, ended.closing)
        else {
          // Only events, which have identifiers: they can be sent again if the connection breaks.
          unsent = ended
          await send([...opening, ...ended.closing])
        }
        this.#markCommitted(caller)
        return ended.committed
      } catch (error) {
        await this.#rollBack(client)
        if (!isConnectionError(failure) || attempt === pool.usage().size) throw error
      } finally {
        checkIn(isConnectionError(failure))
      }
    }
  }

  async #runAndCommit<T>(
    client: PoolClient,
    caller: RequestCaller,
    key: IdempotencyKey | undefined,
    work: Work<Client, T>,
  ): Promise<CommittedWork<T, Client>> {
    try {
      const { closing, committed } = await this.#runWork(caller, key, work, new ScopedConnection(client, true))
      await sendStatements(client, closing)
      this.#markCommitted(caller)
      return committed
    } catch (error) {
      const problemStatement = key && !isTransactionConflict(error) && storeProblemStatement(key, error)
      if (problemStatement) await this.#storeProblem(client, problemStatement)
      throw error
    }
  }

  async #runWork<T>(
    caller: RequestCaller,
    key: IdempotencyKey | undefined,
    work: Work<Client, T>,
    connection: ScopedConnection,
  ): Promise<WorkToCommit<T, Client>> {
    const { connections, db, shard } = this.#options
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

  #markCommitted({ request }: RequestCaller): void {
    if (request?.idempotency || request?.audit) this.#committed.add(request)
  }

  async #storeProblem(client: PoolClient, problemStatement: string): Promise<void> {
    try {
      await sendStatements(client, storeProblemStatements(problemStatement))
    } catch (error) {
      // The caller still gets the problem; a retry with the same key runs the work again.
      this.#options.log.warn(
        { event: 'idempotency.problem_not_stored', err: error },
        'failed to store the problem for its idempotency key',
      )
    }
  }

  async #rollBack(client: PoolClient): Promise<void> {
    if (client.getTransactionStatus() === 'I') return
    try {
      await client.query('ROLLBACK')
    } catch (error) {
      // The check-in closes the connection, which makes PostgreSQL roll back.
      this.#options.log.warn(
        { event: 'transaction.connection_closed', err: error },
        'rollback failed; closing the connection',
      )
    }
  }

  async #runAfterCommit(action: () => void | Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      this.#options.log.error({ event: 'transaction.after_commit_failed', err: error }, 'after-commit action failed')
    }
  }
}

const describeTransaction = ({ workspaceId, request }: RequestCaller) => ({
  ...(workspaceId === null ? {} : { 'wp.workspace_id': workspaceId }),
  ...(request === undefined ? {} : { 'wp.endpoint': request.endpointId }),
})

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
