import type { RequestCaller, RequestMetadata } from '@wp/contracts'
import { type Log, pause } from '@wp/runtime'
import { escapeLiteral, type Pool, type PoolClient, type QueryResult } from 'pg'
import { isTransactionConflict } from '../connection/error-classification.ts'
import { checkIn, checkOut } from '../connection/pool.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'
import { assertNotNested, type ConnectionStorage, ScopedConnection } from '../connection/scoped-connection.ts'
import {
  claimStatements,
  type IdempotencyKey,
  idempotencyKey,
  ifClaimed,
  resolveClaim,
  storeProblemStatement,
  storeResultStatement,
} from './idempotency.ts'
import { outboxStatement } from './outbox-statement.ts'
import type { Transaction } from './transaction.ts'
import { TransactionBuffer } from './transaction-buffer.ts'

const maxAttempts = 4

/** What a writer needs. */
export interface TransactionRunnerOptions<Client> {
  pool: Pool
  connections: ConnectionStorage
  db: ScopedClient<Client>
  notifyWake: (queue: string) => void
  /** The shard of the service itself. */
  shard: string
  log: Log
}

/**
 * The one way to write; see `Database.transact`. Beside the work it costs two round trips: one opens the transaction,
 * sets the workspace and claims the idempotency key, one writes what belongs to the change and commits. Several
 * statements in one message take no parameters, so every value is quoted by `escapeLiteral`.
 */
export class TransactionRunner<Client> {
  readonly #options: TransactionRunnerOptions<Client>
  /** Facts of requests that are committed: their answer is kept, their audit event written. */
  readonly #committed = new WeakSet<RequestMetadata>()

  constructor(options: TransactionRunnerOptions<Client>) {
    this.#options = options
  }

  async transact<T>(caller: RequestCaller, work: (tx: Transaction<Client>) => Promise<T>): Promise<T> {
    assertNotNested(this.#options.connections, 'transact')
    if (caller.request && this.#committed.has(caller.request))
      throw new Error(
        `${caller.request.endpointId} has committed: give a second transaction the caller without "request"`,
      )
    const { result, recording: buffer } = await this.#withRetries(caller, work)
    for (const queue of buffer.wakes) await this.#runAfterCommit(() => this.#options.notifyWake(queue))
    for (const action of buffer.afterCommitActions) await this.#runAfterCommit(action)
    return result
  }

  async #withRetries<T>(
    caller: RequestCaller,
    work: (tx: Transaction<Client>) => Promise<T>,
  ): Promise<CommittedWork<T, Client>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(caller, work)
      } catch (error) {
        if (attempt === maxAttempts || !isTransactionConflict(error)) throw error
        this.#options.log.warn(
          { err: error, attempt, requestId: caller.requestId },
          'a transaction collided and runs again',
        )
        await pause(Math.random() * 20 * attempt)
      }
    }
  }

  async #attempt<T>(
    caller: RequestCaller,
    work: (tx: Transaction<Client>) => Promise<T>,
  ): Promise<CommittedWork<T, Client>> {
    const { pool, connections: leases, db } = this.#options
    const key = idempotencyKey(caller)
    const [client, openingResults] = await checkOut(pool, (candidate) =>
      sendStatements(candidate, openingStatements(caller, key)),
    )
    try {
      if (key) resolveIdempotencyClaim(key, openingResults)
      const connection = new ScopedConnection(client, true)
      const recording = new TransactionBuffer(caller, db, connection, this.#options.shard)
      try {
        const result = await leases
          .run(connection, async () => {
            await checkPrecondition(caller, connection)
            return await work(recording)
          })
          .finally(() => connection.end())
        await sendStatements(client, closingStatements(caller, key, recording, result))
        if (caller.request?.idempotency || caller.request?.audit) this.#committed.add(caller.request)
        return { result, recording }
      } catch (error) {
        const problemStatement = key && !isTransactionConflict(error) && storeProblemStatement(key, error)
        if (problemStatement) await this.#storeProblem(client, problemStatement)
        throw error
      }
    } catch (error) {
      await this.#rollBack(client)
      throw error
    } finally {
      checkIn(client)
    }
  }

  /** Takes back the work alone and keeps the refusal, still under the key's lock. */
  async #storeProblem(client: PoolClient, refusal: string): Promise<void> {
    try {
      await sendStatements(client, ['ROLLBACK TO SAVEPOINT work', refusal, 'COMMIT'])
    } catch (error) {
      // The caller gets the refusal all the same; the same key will then be served anew.
      this.#options.log.warn({ err: error }, 'a refusal could not be kept for its idempotency key')
    }
  }

  async #rollBack(client: PoolClient): Promise<void> {
    if (client.getTransactionStatus() === 'I') return
    try {
      await client.query('ROLLBACK')
    } catch (error) {
      // A connection that cannot roll back is closed, and PostgreSQL rolls back by itself.
      this.#options.log.warn({ err: error }, 'a transaction was ended by closing its connection')
    }
  }

  async #runAfterCommit(action: () => void | Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      this.#options.log.error({ err: error }, 'an action after a commit failed')
    }
  }
}

interface CommittedWork<T, Client> {
  result: T
  recording: TransactionBuffer<Client>
}

/** The claim looks at the key's own workspace, which for some endpoints is none; the work then begins in the caller's. */
function openingStatements(caller: RequestCaller, key: IdempotencyKey | undefined): string[] {
  const { resource } = caller.request ?? {}
  const lockStatements = resource === undefined ? [] : [ifClaimed(key, lockResource(resource))]
  if (key === undefined) return ['BEGIN READ WRITE', setWorkspace(caller.workspaceId), ...lockStatements]
  const claim = [
    'BEGIN READ WRITE',
    setWorkspace(key.workspaceId),
    ...claimStatements(key),
    ...lockStatements,
    'SAVEPOINT work',
  ]
  return key.workspaceId === (caller.workspaceId ?? '') ? claim : [...claim, setWorkspace(caller.workspaceId)]
}

/** Waits for other changes of the resource that were asked for, so that none comes between a precondition and a change. */
const lockResource = (resource: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${escapeLiteral(resource)}, 1))`

/** Compares on this connection, in this transaction, what the request expects of the resource. @throws Problem */
async function checkPrecondition({ request, workspaceId }: RequestCaller, lease: ScopedConnection): Promise<void> {
  const { precondition } = request ?? {}
  if (precondition === undefined) return
  await lease.shareWithReads(precondition.check)
  await lease.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId ?? ''])
}

function resolveIdempotencyClaim(key: IdempotencyKey, [, , lock, lookup]: QueryResult[]): void {
  resolveClaim(key, lock?.rows[0]?.mine === true, lookup?.rows[0])
}

function closingStatements<Client>(
  caller: RequestCaller,
  key: IdempotencyKey | undefined,
  recording: TransactionBuffer<Client>,
  result: unknown,
): string[] {
  const events = recording.collectEvents(result)
  const hasSwitchedWorkspace = (recording.workspaceId ?? '') !== key?.workspaceId
  return [
    ...(events.length > 0 ? [outboxStatement(caller, events)] : []),
    // The kept answer belongs to the workspace of the key, whatever was entered since.
    ...(key && hasSwitchedWorkspace ? [setWorkspace(key.workspaceId)] : []),
    ...(key ? [storeResultStatement(key, result)] : []),
    'COMMIT',
  ]
}

const setWorkspace = (workspaceId: string | null): string =>
  `SELECT set_config('app.workspace_id', ${escapeLiteral(workspaceId ?? '')}, true)`

/**
 * Sends statements as one message.
 * @throws Error when a commit among them rolled back, as PostgreSQL does, silently, after an error the work swallowed
 */
async function sendStatements(client: PoolClient, statements: string[]): Promise<QueryResult[]> {
  const answer: QueryResult | QueryResult[] = await client.query(statements.join(';\n'))
  const results = Array.isArray(answer) ? answer : [answer]
  if (statements.at(-1) === 'COMMIT' && results.at(-1)?.command !== 'COMMIT')
    throw new Error('the transaction was rolled back: the work went on after an error of the database')
  return results
}
