import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Query } from './query.ts'

/** Which connection the code that runs now may use. One a database, so that services in one process never meet. */
export type Leases = AsyncLocalStorage<Lease>

/**
 * One connection in the hands of one `read` or `transact`. Its statements go one after the other, whoever sends them;
 * after the end it refuses.
 */
export class Lease {
  readonly #client: PoolClient
  readonly #inTransaction: boolean
  #turn: Promise<unknown> = Promise.resolve()
  #ended = false
  #lends = false
  #savepoints = 0

  constructor(client: PoolClient, inTransaction: boolean) {
    this.#client = client
    this.#inTransaction = inTransaction
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Whether a `read` inside may use this connection. */
  get lends(): boolean {
    return this.#lends && !this.#ended
  }

  /** Runs `work`, in which each `read` uses this connection instead of asking for one. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#lends = true
    try {
      return await work()
    } finally {
      this.#lends = false
    }
  }

  readonly query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await this.send({ text, values: [...values] })
    // The caller names the shape of the rows its statement gives.
    return rows as Row[]
  }

  send(config: QueryConfig): Promise<QueryResult> {
    return this.#inTurn(() => this.#client.query(config))
  }

  /**
   * The connection for a transaction that Prisma opens by itself, around a nested write: nobody else's statement comes
   * between until it is released. Inside a transaction its BEGIN, COMMIT and ROLLBACK mean a savepoint.
   */
  nested(): Promise<NestedClient> {
    return new Promise((resolve, reject) => {
      this.#inTurn(() => new Promise<void>((done) => resolve(this.#nestedClient(done)))).catch(reject)
    })
  }

  /** Lets what was sent come to its end, and refuses everything after. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#turn
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    if (this.#ended) throw new Error('the database was used after the read or transact it belongs to had ended')
    const result = this.#turn.then(action)
    // Whoever awaits `result` hears of a failure; the next in turn only waits for its end.
    this.#turn = result.then(
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
        const instead = this.#inTransaction ? asSavepoint[config.text] : undefined
        return instead === undefined ? client.query(config) : client.query(instead)
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
export function currentLease(leases: Leases): Lease {
  const lease = leases.getStore()
  if (lease === undefined) throw new Error('Prisma was used outside of read() and transact(): no workspace is set here')
  return lease
}

/**
 * Refuses to take a second connection while this code holds one: with small pools, two that do so wait for each other
 * for ever.
 */
export function refuseNesting(leases: Leases, what: string): void {
  const lease = leases.getStore()
  if (lease !== undefined && !lease.ended)
    throw new Error(`${what}() inside of a read() or transact(): use the connection that is already there`)
}
