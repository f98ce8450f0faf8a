import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { CheckedOut } from './fair-pool.ts'
import type { Query } from './query.ts'

/** The connection of the current asynchronous context. One per database, because services can share a process. */
export type ConnectionStorage = AsyncLocalStorage<ScopedConnection>

/**
 * Checks out a connection, prepares it and sends the first statement right behind, in one round trip. `first` never
 * rejects; it is called again if a connection breaks before it is prepared.
 */
export type OpenConnection = <T>(first: (client: PoolClient) => Promise<T>) => Promise<CheckedOut<T>>

type Opened = Pick<CheckedOut<unknown>, 'client' | 'checkIn'>

/**
 * The connection of one `read` or `transact`, which its first statement opens. Runs statements in the order they were
 * sent, and rejects statements sent after its end. Those of a transaction do not wait for the results of others; those
 * of a read do, so that none starts once the signal is aborted or the read has failed. Keeps no result.
 */
export class ScopedConnection {
  readonly #open: OpenConnection
  readonly #isInTransaction: boolean
  readonly #signal: AbortSignal | undefined
  #opened: Promise<Opened> | undefined
  #lastStatement: Promise<void> = Promise.resolve()
  /** The last one with exclusive use of the connection. */
  #lastExclusive: Promise<void> = Promise.resolve()
  #hasEnded = false
  #isShared = false
  #savepoints = 0
  #statements = 0

  constructor(open: OpenConnection, isInTransaction: boolean, signal?: AbortSignal) {
    this.#open = open
    this.#signal = signal
    this.#isInTransaction = isInTransaction
  }

  /** Undefined before the first statement. */
  get opened(): Promise<Opened> | undefined {
    return this.#opened
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Number of statements and nested transactions sent. */
  get statements(): number {
    return this.#statements
  }

  /** True while a nested `read` may use this connection. */
  get isSharedWithReads(): boolean {
    return this.#isShared && !this.#hasEnded
  }

  /** Runs `work`; every `read` inside it uses this connection instead of checking one out. */
  async shareWithReads<T>(work: () => Promise<T>): Promise<T> {
    this.#isShared = true
    try {
      return await work()
    } finally {
      this.#isShared = false
    }
  }

  readonly query: Query = async <Row>(text: string, values: readonly unknown[] = [], name?: string) => {
    const { rows } = await this.send({ text, values: [...values], ...(name === undefined ? {} : { name }) })
    // The caller names the shape of the rows its statement gives.
    return rows as Row[]
  }

  send(config: QueryConfig): Promise<QueryResult> {
    this.#requireUse()
    const run = (client: PoolClient) => client.query(config)
    if (this.#opened === undefined) return this.#append(this.#runFirst(run), false)
    return this.#append(this.#runNext(run, !this.#isInTransaction), false)
  }

  /**
   * Returns exclusive use of the connection, for the transaction that Prisma opens around a nested write. Other
   * statements wait until it is released. Inside a transaction, BEGIN, COMMIT and ROLLBACK are mapped to a savepoint.
   */
  openNested(): Promise<NestedClient> {
    return new Promise((resolve, reject) => {
      this.#requireUse()
      this.#opened ??= this.#open(async () => {})
      const use = (client: PoolClient) => new Promise<void>((done) => resolve(this.#nestedClient(client, done)))
      this.#append(this.#runNext(use, true), true).catch(reject)
    })
  }

  /** Rejects further statements and waits for those already sent. */
  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#lastStatement
  }

  #requireUse(): void {
    this.#signal?.throwIfAborted()
    if (this.#hasEnded) throw new Error('the database was used after its read() or transact() had ended')
  }

  /** The connection outlives an error of the statement. */
  async #runFirst<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
    const opening = this.#open(async (client) => (await Promise.allSettled([run(client)]))[0])
    this.#opened = opening.then(({ client, checkIn }) => ({ client, checkIn }))
    const [{ opened: first }] = await Promise.all([opening, this.#opened])
    if (first.status === 'rejected') throw first.reason
    return first.value
  }

  async #runNext<T>(run: (client: PoolClient) => Promise<T>, waitsForAll: boolean): Promise<T> {
    const before = waitsForAll ? this.#lastStatement : this.#lastExclusive
    const [opened] = await Promise.all([this.#opened, before])
    if (opened === undefined) throw new Error('a statement was sent before the connection was opened')
    if (!this.#isInTransaction) this.#requireUse()
    return await run(opened.client)
  }

  #append<T>(result: Promise<T>, isExclusive: boolean): Promise<T> {
    this.#statements += 1
    // The caller handles a failure of `result`; the next statement only waits for the end of this one.
    const ended = Promise.allSettled([result]).then(() => {})
    this.#lastStatement = this.#lastStatement.then(() => ended)
    if (isExclusive) this.#lastExclusive = this.#lastStatement
    return result
  }

  #nestedClient(client: PoolClient, done: () => void): NestedClient {
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

/** The part of `PoolClient` that Prisma's adapter uses. */
interface NestedClient {
  query(config: QueryConfig): Promise<QueryResult>
  release(error?: Error): void
  on(event: 'error', listener: (error: Error) => void): void
  removeListener(event: 'error', listener: (error: Error) => void): void
}

/**
 * Returns the connection of the current asynchronous context.
 *
 * @throws Error outside `read` and `transact`
 */
export function currentConnection(connections: ConnectionStorage): ScopedConnection {
  const connection = connections.getStore()
  if (connection === undefined) throw new Error('Prisma was used outside read() and transact(): no workspace is set')
  return connection
}

/**
 * Prevents checking out a second connection while one is held: with small pools, requests that do so deadlock.
 *
 * @throws Error inside a `read` or `transact`
 */
export function assertNotNested(connections: ConnectionStorage, operation: string): void {
  const connection = connections.getStore()
  if (connection !== undefined && !connection.hasEnded)
    throw new Error(`${operation}() inside a read() or transact(): use its connection instead`)
}
