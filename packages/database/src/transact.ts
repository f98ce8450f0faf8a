import { setTimeout as delay } from 'node:timers/promises'
import type { RequestCaller, RequestFacts } from '@wp/contracts'
import { escapeLiteral, type Pool, type PoolClient, type QueryResult } from 'pg'
import type { Log } from './database.ts'
import { isCollision } from './failures.ts'
import {
  claimStatements,
  type IdempotencyKey,
  idempotencyKey,
  keepRefusal,
  keepResult,
  settleClaim,
  whereClaimed,
} from './idempotency.ts'
import { Lease, type Leases, refuseNesting } from './lease.ts'
import { outboxStatement } from './outbox.ts'
import { giveBack, take } from './pool.ts'
import { Recording } from './recording.ts'
import type { ScopedClient } from './scoped-client.ts'
import type { Transaction } from './transaction.ts'

const tries = 4

/** What a writer needs. */
export interface WriterParts<Client> {
  pool: Pool
  leases: Leases
  db: ScopedClient<Client>
  announce: (queue: string) => void
  /** The shard of the service itself. */
  shard: string
  log: Log
}

/**
 * The one way to write; see `Database.transact`. Beside the work it costs two round trips: one opens the transaction,
 * sets the workspace and claims the idempotency key, one writes what belongs to the change and commits. Several
 * statements in one message take no parameters, so every value is quoted by `escapeLiteral`.
 */
export class Writer<Client> {
  readonly #parts: WriterParts<Client>
  /** Facts of requests that are committed: their answer is kept, their audit event written. */
  readonly #settled = new WeakSet<RequestFacts>()

  constructor(parts: WriterParts<Client>) {
    this.#parts = parts
  }

  async transact<T>(caller: RequestCaller, work: (tx: Transaction<Client>) => Promise<T>): Promise<T> {
    refuseNesting(this.#parts.leases, 'transact')
    if (caller.request && this.#settled.has(caller.request))
      throw new Error(
        `${caller.request.endpointId} has committed: give a second transaction the caller without "request"`,
      )
    const { result, recording } = await this.#withRetries(caller, work)
    for (const queue of recording.wakes) await this.#afterwards(() => this.#parts.announce(queue))
    for (const action of recording.actions) await this.#afterwards(action)
    return result
  }

  async #withRetries<T>(
    caller: RequestCaller,
    work: (tx: Transaction<Client>) => Promise<T>,
  ): Promise<Committed<T, Client>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(caller, work)
      } catch (error) {
        if (attempt === tries || !isCollision(error)) throw error
        this.#parts.log.warn(
          { err: error, attempt, requestId: caller.requestId },
          'a transaction collided and runs again',
        )
        await delay(Math.random() * 20 * attempt)
      }
    }
  }

  async #once<T>(caller: RequestCaller, work: (tx: Transaction<Client>) => Promise<T>): Promise<Committed<T, Client>> {
    const { pool, leases, db } = this.#parts
    const key = idempotencyKey(caller)
    const [client, opened] = await take(pool, (candidate) => run(candidate, opening(caller, key)))
    try {
      if (key) settle(key, opened)
      const lease = new Lease(client, true)
      const recording = new Recording(caller, db, lease, this.#parts.shard)
      try {
        const result = await leases
          .run(lease, async () => {
            await checkPrecondition(caller, lease)
            return await work(recording)
          })
          .finally(() => lease.end())
        await run(client, closing(caller, key, recording, result))
        if (caller.request?.idempotency || caller.request?.audit) this.#settled.add(caller.request)
        return { result, recording }
      } catch (error) {
        const refusal = key && !isCollision(error) && keepRefusal(key, error)
        if (refusal) await this.#keep(client, refusal)
        throw error
      }
    } catch (error) {
      await this.#rollBack(client)
      throw error
    } finally {
      giveBack(client)
    }
  }

  /** Takes back the work alone and keeps the refusal, still under the key's lock. */
  async #keep(client: PoolClient, refusal: string): Promise<void> {
    try {
      await run(client, ['ROLLBACK TO SAVEPOINT work', refusal, 'COMMIT'])
    } catch (error) {
      // The caller gets the refusal all the same; the same key will then be served anew.
      this.#parts.log.warn({ err: error }, 'a refusal could not be kept for its idempotency key')
    }
  }

  async #rollBack(client: PoolClient): Promise<void> {
    if (client.getTransactionStatus() === 'I') return
    try {
      await client.query('ROLLBACK')
    } catch (error) {
      // A connection that cannot roll back is closed, and PostgreSQL rolls back by itself.
      this.#parts.log.warn({ err: error }, 'a transaction was ended by closing its connection')
    }
  }

  async #afterwards(action: () => void | Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'an action after a commit failed')
    }
  }
}

interface Committed<T, Client> {
  result: T
  recording: Recording<Client>
}

/** The claim looks at the key's own workspace, which for some endpoints is none; the work then begins in the caller's. */
function opening(caller: RequestCaller, key: IdempotencyKey | undefined): string[] {
  const { resource } = caller.request ?? {}
  const turn = resource === undefined ? [] : [whereClaimed(key, takeTurn(resource))]
  if (key === undefined) return ['BEGIN READ WRITE', setWorkspace(caller.workspaceId), ...turn]
  const claim = ['BEGIN READ WRITE', setWorkspace(key.workspaceId), ...claimStatements(key), ...turn, 'SAVEPOINT work']
  return key.workspaceId === (caller.workspaceId ?? '') ? claim : [...claim, setWorkspace(caller.workspaceId)]
}

/** Waits for other changes of the resource that were asked for, so that none comes between a precondition and a change. */
const takeTurn = (resource: string): string => `pg_advisory_xact_lock(hashtextextended(${escapeLiteral(resource)}, 1))`

/** Compares on this connection, in this transaction, what the request expects of the resource. @throws Problem */
async function checkPrecondition({ request, workspaceId }: RequestCaller, lease: Lease): Promise<void> {
  const { precondition } = request ?? {}
  if (precondition === undefined) return
  await lease.lend(precondition.check)
  await lease.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId ?? ''])
}

function settle(key: IdempotencyKey, [, , lock, lookup]: QueryResult[]): void {
  settleClaim(key, lock?.rows[0]?.mine === true, lookup?.rows[0])
}

function closing<Client>(
  caller: RequestCaller,
  key: IdempotencyKey | undefined,
  recording: Recording<Client>,
  result: unknown,
): string[] {
  const events = recording.events(result)
  const moved = (recording.workspaceId ?? '') !== key?.workspaceId
  return [
    ...(events.length > 0 ? [outboxStatement(caller, events)] : []),
    // The kept answer belongs to the workspace of the key, whatever was entered since.
    ...(key && moved ? [setWorkspace(key.workspaceId)] : []),
    ...(key ? [keepResult(key, result)] : []),
    'COMMIT',
  ]
}

const setWorkspace = (workspaceId: string | null): string =>
  `SELECT set_config('app.workspace_id', ${escapeLiteral(workspaceId ?? '')}, true)`

/**
 * Sends statements as one message.
 * @throws Error when a commit among them rolled back, as PostgreSQL does, silently, after an error the work swallowed
 */
async function run(client: PoolClient, statements: string[]): Promise<QueryResult[]> {
  const answer: QueryResult | QueryResult[] = await client.query(statements.join(';\n'))
  const results = Array.isArray(answer) ? answer : [answer]
  if (statements.at(-1) === 'COMMIT' && results.at(-1)?.command !== 'COMMIT')
    throw new Error('the transaction was rolled back: the work went on after an error of the database')
  return results
}
