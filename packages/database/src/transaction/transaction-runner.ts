import type { RequestCaller, RequestMetadata } from '@wp/contracts'
import { pause, type Tracing, withSpan } from '@wp/runtime'
import { isTransactionConflict } from '../connection/error-classification.ts'
import { assertNotNested } from '../connection/scoped-connection.ts'
import { type AttemptOptions, attemptTransaction, type CommittedWork, type Work } from './transaction-attempt.ts'

const maxAttempts = 4

export interface TransactionRunnerOptions<Client> extends AttemptOptions<Client> {
  notifyWake: (queue: string) => void
  tracing?: Tracing | undefined
}

/**
 * Runs write transactions; see `Database.transact`. Apart from the work itself a transaction takes two round trips: the
 * first opens it, sets the workspace and claims the idempotency key; the second writes what the work buffered and
 * commits. Where nothing is claimed, the first statement of the work goes with the first; without one, both are one.
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
    if (caller.request?.idempotency || caller.request?.audit) this.#committed.add(caller.request)
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
      span.setAttributes({ 'wp.db.statements': committed.statements, 'wp.events': committed.events.length })
      return committed
    })
  }

  async #runWithRetries<T>(caller: RequestCaller, work: Work<Client, T>): Promise<CommittedWork<T, Client>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptTransaction(this.#options, caller, work)
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
