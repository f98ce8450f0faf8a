import type { RequestCaller } from '@wp/contracts'
import type { Pool } from 'pg'
import type { Query } from './connection/query.ts'
import type { ScopedClient } from './connection/scoped-client.ts'
import type { Transaction } from './transaction/transaction.ts'

/** One service's database, seen through its two roles. */
export interface Database<Client = unknown> {
  readonly shard: string
  /**
   * Reads as one workspace: `work` gets one connection of the app role, on which row-level security lets through the
   * workspace's rows alone (with null: the tables that belong to no workspace). It is not a transaction, and a write
   * is refused by PostgreSQL: `transact` is the one way to write.
   *
   * @throws whatever `work` throws; Problem `service_unavailable` when the database cannot be reached or went away
   */
  read<T>(
    scope: { workspaceId: string | null },
    work: (db: ScopedClient<Client>, query: Query) => Promise<T>,
  ): Promise<T>
  /**
   * Writes as one workspace, in one transaction together with everything that must be true with it: the outbox rows of
   * what was emitted, the audit event, the answer kept for the request's idempotency key. A crash leaves all of it or
   * nothing.
   *
   * `work` must be re-runnable: after a serialization failure or a deadlock it is run again from the start, at most
   * four times, with what it recorded before forgotten. What it returns is what the idempotency key keeps, so return
   * the operation's answer from it. One request's facts (`caller.request`) can be committed once; a further
   * transaction of the same request is given the caller without them.
   *
   * @throws IdempotentReplay when the key was answered before: the answer is in it
   * @throws Problem `idempotency_in_flight`, `idempotency_key_reused`, `secret_not_replayable`, or the refusal kept
   *   for the key, `service_unavailable` when the database cannot be reached or went away (then the write may have been
   *   done); whatever else `work` throws, after rolling back
   */
  transact<T>(caller: RequestCaller, work: (tx: Transaction<Client>) => Promise<T>): Promise<T>
  /** Connections of the worker role, which sees all workspaces: relay, claims, retention. Not for requests. */
  readonly worker: Pool
  /**
   * Calls `listener` with a queue's name after a commit that woke it; `outbox` after each commit that emitted.
   * @returns a function that ends it
   */
  onWake(listener: (queue: string) => void): () => void
  /** Resolves when both roles can reach the database. */
  ping(): Promise<void>
  /** Whether the migrations were applied, for readiness: once they were seen the database is not asked again. */
  hasSchema(): Promise<boolean>
  /** Waits for what runs and closes every connection. */
  close(): Promise<void>
}
