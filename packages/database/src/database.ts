import type { RequestCaller } from '@wp/contracts'
import type { Tracing } from '@wp/runtime'
import type { Pool } from 'pg'
import type { ReadScope } from './connection/fair-pool.ts'
import type { PoolUsage } from './connection/pool.ts'
import type { Query } from './connection/query.ts'
import type { ScopedClient } from './connection/scoped-client.ts'
import type { Transaction } from './transaction/transaction.ts'

/**
 * One service's database, accessed through its app role and its worker role. Requests and background work have
 * connections of their own, so that neither waits for the other. Workspaces take turns when connections are scarce; one
 * workspace holds all connections of a pool but one at most.
 *
 * @template PoolName names of the extra pools of the worker role
 */
export interface Database<Client = unknown, PoolName extends string = never> {
  readonly shard: string
  /**
   * Traces what is done with rows of the database besides its transactions: events and jobs. Undefined if tracing is
   * off.
   */
  readonly tracing?: Tracing | undefined
  /** The same database through the connections of background work: for jobs, consumers and other workers. */
  readonly background: Database<Client, PoolName>
  /**
   * Reads as one workspace. `work` gets one connection of the app role, on which row-level security shows only the rows
   * of that workspace (with null: only tables that belong to no workspace). The round trip of its first
   * statement also sets the workspace. The read is not a transaction, and PostgreSQL rejects writes on it; use
   * `transact` to write.
   *
   * @param scope.principal takes turns of its own where there is no workspace: pass the caller
   * @param scope.signal when aborted, the running statement is cancelled at PostgreSQL and no further one starts
   * @throws whatever `work` throws; the reason of `signal`; Problem `service_unavailable` if the database is
   *   unreachable, the connection broke or no connection became free in time
   */
  read<T>(scope: ReadScope, work: (db: ScopedClient<Client>, query: Query) => Promise<T>): Promise<T>
  /**
   * Writes as one workspace, in a single transaction that also holds the outbox rows of emitted events, the audit event
   * and the response stored for the request's idempotency key. After a crash, either all of it is committed or none.
   *
   * `work` must be safe to run again: after a serialization failure or a deadlock it is rerun from the start, at most
   * four times, and everything it buffered before is discarded. The return value of `work` is stored for the
   * idempotency key, so it must be the operation's response. The metadata of one request (`caller.request`) can be
   * committed once; pass a caller without it to further transactions of the same request.
   *
   * @throws IdempotentReplay if the key has a stored response, which the error carries
   * @throws Problem `idempotency_in_flight`, `idempotency_key_reused`, `secret_not_replayable`, the problem stored for
   *   the key, or `service_unavailable` if the database is unreachable, no connection became free in time, or the
   *   connection broke (the write may have been committed then); whatever else `work` throws, after rolling back
   */
  transact<T>(caller: RequestCaller, work: (tx: Transaction<Client>) => Promise<T>): Promise<T>
  /** Pool of the worker role, which sees all workspaces: for relay, claims and retention, not for requests. */
  readonly worker: Pool
  /**
   * Extra pools of the worker role, for requests that must see all workspaces and must not wait for other work. Convert
   * their errors with `rethrowAsUnavailable`.
   */
  readonly extraPools: Readonly<Record<PoolName, Pool>>
  /**
   * Calls `listener` with the name of each queue woken by a committed transaction; `outbox` after each commit that
   * emitted events.
   *
   * @returns a function that removes the listener
   */
  onWake(listener: (queue: string) => void): () => void
  /** Returns how the connections of every pool are used. */
  poolUsage(): PoolUsage[]
  /** Resolves if both roles can reach the database. */
  ping(): Promise<void>
  /**
   * Returns true once the migrations have been applied; used for readiness. A positive result is cached, because
   * otherwise readiness would depend on a shared server.
   */
  hasSchema(): Promise<boolean>
  /** Waits for statements in progress and closes every connection. */
  close(): Promise<void>
}
