import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Query } from './query.ts'

/** Which connection the code that runs now may use. One a database, so that services in one process never meet. */
export type ConnectionStorage = AsyncLocalStorage<ScopedConnection>

/**
 * One connection in the hands of one `read` or `transact`. Its statements go one after the other, whoever sends them;
 * after the end it refuses.
 */
export class ScopedConnection {
  readonly #client: PoolClient
  readonly #isInTransaction: boolean
  #lastStatement: Promise<unknown> = Promise.resolve()
  #hasEnded = false
  #isShared = false
  #savepoints = 0

  constructor(client: PoolClient, isInTransaction: boolean) {
    this.#client = client
    this.#isInTransaction = isInTransaction
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether a `read` inside may use this connection. */
  get isSharedWithReads(): boolean {
    return this.#isShared && !this.#hasEnded
  }

  /** Runs `work`, in which each `read` uses this connection instead of asking for one. */
  async shareWithReads<T>(work: () => Promise<T>): Promise<T> {
    this.#isShared = true
    try {
      return await work()
    } finally {
      this.#isShared = false
    }
  }

  readonly query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await this.send({ text, values: [...values] })
    // The caller names the shape of the rows its statement gives.
    return rows as Row[]
  }

  send(config: QueryConfig): Promise<QueryResult> {
    return this.#enqueue(() => this.#client.query(config))
  }

  /**
   * The connection for a transaction that Prisma opens by itself, around a nested write: nobody else's statement comes
   * between until it is released. Inside a transaction its BEGIN, COMMIT and ROLLBACK mean a savepoint.
   */
  openNested(): Promise<NestedClient> {
    return new Promise((resolve, reject) => {
      this.#enqueue(() => new Promise<void>((done) => resolve(this.#nestedClient(done)))).catch(reject)
    })
  }

  /** Lets what was sent come to its end, and refuses everything after. */
  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#lastStatement
  }

  #enqueue<T>(action: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) throw new Error('the database was used after the read or transact it belongs to had ended')
    const result = this.#lastStatement.then(action)
    // Whoever awaits `result` hears of a failure; the next in turn only waits for its end.
    this.#lastStatement = result.then(
      () => {},
      () => {},
    )
    return result
  }

  #nestedClient(done: () => void): NestedClient {
    const client = this.#client
    const savepoint = `nested_${++this.#savepoints}`
    const asSavepoint: Record<string, string> = {
      BEGIN: `SAVEPOINT ${savepoint}`,
      COMMIT: `RELEASE SAVEPOINT ${savepoint}`,
      ROLLBACK: `ROLLBACK TO SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`,
    }
    return {
      query: (config) => {
        const replacement = this.#isInTransaction ? asSavepoint[config.text] : undefined
        return replacement === undefined ? client.query(config) : client.query(replacement)
      },
      release: () => done(),
      on: (event, listener) => void client.on(event, listener),
      removeListener: (event, listener) => void client.removeListener(event, listener),
    }
  }
}

/** The part of a pool's client that Prisma's adapter uses. */
interface NestedClient {
  query(config: QueryConfig): Promise<QueryResult>
  release(error?: Error): void
  on(event: 'error', listener: (error: Error) => void): void
  removeListener(event: 'error', listener: (error: Error) => void): void
}

/** The lease of the code that runs now. @throws Error outside of `read` and `transact` */
export function currentConnection(connections: ConnectionStorage): ScopedConnection {
  const lease = connections.getStore()
  if (lease === undefined) throw new Error('Prisma was used outside of read() and transact(): no workspace is set here')
  return lease
}

/**
 * Refuses to take a second connection while this code holds one: with small pools, two that do so wait for each other
 * for ever.
 */
export function assertNotNested(leases: ConnectionStorage, operation: string): void {
  const lease = leases.getStore()
  if (lease !== undefined && !lease.hasEnded)
    throw new Error(`${operation}() inside of a read() or transact(): use the connection that is already there`)
}
