import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Query } from './query.ts'

/** The connection of the current asynchronous context. One per database, because services can share a process. */
export type ConnectionStorage = AsyncLocalStorage<ScopedConnection>

/**
 * The connection of one `read` or `transact`. Runs statements one at a time, in the order they were sent, and rejects
 * statements sent after its end.
 */
export class ScopedConnection {
  readonly #client: PoolClient
  readonly #isInTransaction: boolean
  readonly #open: (() => Promise<unknown>) | undefined
  #opened: Promise<unknown> | undefined
  #lastStatement: Promise<unknown> = Promise.resolve()
  #hasEnded = false
  #isShared = false
  #savepoints = 0
  #statements = 0

  /** @param open opens the transaction before the first statement; default: it is open */
  constructor(client: PoolClient, isInTransaction: boolean, open?: () => Promise<unknown>) {
    this.#client = client
    this.#isInTransaction = isInTransaction
    this.#open = open
  }

  /** False until the first statement of a transaction that is opened with it. */
  get isOpen(): boolean {
    return this.#open === undefined || this.#opened !== undefined
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
    return this.#enqueue(() => this.#client.query(config))
  }

  /**
   * Returns exclusive use of the connection, for the transaction that Prisma opens around a nested write. Other
   * statements wait until it is released. Inside a transaction, BEGIN, COMMIT and ROLLBACK are mapped to a savepoint.
   */
  openNested(): Promise<NestedClient> {
    return new Promise((resolve, reject) => {
      this.#enqueue(() => new Promise<void>((done) => resolve(this.#nestedClient(done)))).catch(reject)
    })
  }

  /** Rejects further statements and waits for those already sent. */
  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#lastStatement
  }

  #enqueue<T>(action: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) throw new Error('the database was used after its read() or transact() had ended')
    this.#statements += 1
    this.#opened ??= this.#open?.()
    // If the transaction cannot be opened, every statement fails.
    const before = this.#opened === undefined ? this.#lastStatement : Promise.all([this.#opened, this.#lastStatement])
    const result = before.then(action)
    // The caller handles a failure of `result`; the next statement only waits for the end of this one.
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
