import { type Connection, destroyConnection } from './connection.ts'

interface PoolLimits {
  /** Maximum number of idle connections; beyond it the least recently used one is closed. */
  maxIdle: number
  maxIdlePerOrigin: number
  /** Maximum age for reuse, so that a changed DNS record takes effect. */
  maxAgeMs: number
}

/**
 * Connections of one client: those in use and the idle ones kept for further requests with the same key: to the same
 * origin.
 */
export class ConnectionPool {
  readonly #limits: PoolLimits
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>()
  readonly #idleByKey = new Map<string, Connection[]>()
  readonly #busy = new Set<Connection>()

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /** Returns the most recently used idle connection with the key, so that surplus ones expire. */
  take(poolKey: string): Connection | undefined {
    for (;;) {
      const connection = this.#idleByKey.get(poolKey)?.at(-1)
      if (connection === undefined) return undefined
      this.#removeIdle(connection)
      if (this.#isUsable(connection)) {
        connection.reused = true
        this.#busy.add(connection)
        return connection
      }
      destroyConnection(connection)
    }
  }

  /** Adds a new connection that is about to be used. */
  add(connection: Connection): void {
    this.#busy.add(connection)
    connection.client.on('disconnect', () => {
      this.#removeIdle(connection)
      this.#busy.delete(connection)
    })
  }

  /** Keeps a connection for reuse after a successful exchange. */
  release(connection: Connection): void {
    this.#busy.delete(connection)
    const siblings = this.#idleByKey.get(connection.poolKey) ?? []
    if (!this.#isUsable(connection) || siblings.length >= this.#limits.maxIdlePerOrigin) {
      destroyConnection(connection)
      return
    }
    this.#idle.add(connection)
    if (siblings.push(connection) === 1) this.#idleByKey.set(connection.poolKey, siblings)
    const [oldest] = this.#idle
    if (this.#idle.size > this.#limits.maxIdle && oldest !== undefined) this.discard(oldest)
  }

  discard(connection: Connection, reason?: Error): void {
    this.#removeIdle(connection)
    this.#busy.delete(connection)
    destroyConnection(connection, reason)
  }

  /** Closes every connection; requests in progress fail with `reason`. */
  close(reason: Error): void {
    for (const connection of [...this.#idle, ...this.#busy]) this.discard(connection, reason)
  }

  #isUsable({ client, socket, openedAt }: Connection): boolean {
    return !client.destroyed && !socket.destroyed && performance.now() - openedAt < this.#limits.maxAgeMs
  }

  #removeIdle(connection: Connection): void {
    if (!this.#idle.delete(connection)) return
    const siblings = this.#idleByKey.get(connection.poolKey) ?? []
    // Mostly the last element.
    siblings.splice(siblings.lastIndexOf(connection), 1)
    if (siblings.length === 0) this.#idleByKey.delete(connection.poolKey)
  }
}
