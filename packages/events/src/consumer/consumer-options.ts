import type { DomainEvent } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Log, Metrics } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import type {
  BatchHandler,
  BulkHandler,
  EventAuthorization,
  EventHandler,
  PrepareSharedBatch,
} from './received-event.ts'

export interface ConsumerOptions<Client> {
  database: Database<Client>
  bus: Bus
  service: string
  /** Purpose of the consumer. Together with the service it names the durable consumer, so it must never change. */
  purpose: string
  kinds: readonly string[] | 'all'
  /** If set, the broker delivers only events of this producer. */
  producer?: string
  handle: EventHandler<Client>
  /** Rejected events become dead letters at once. Default: all events are authorized. */
  authorize?: EventAuthorization
  /**
   * Returns false for an event without an effect, which is then acknowledged without a transaction and an inbox row.
   * Asked for every event of the kinds, so it must be cheap. Default: every event is handled.
   */
  isWanted?: (event: DomainEvent) => Promise<boolean>
  /** Maximum number of events handled at once in this process; each uses a connection of the app pool. Default 2. */
  concurrency?: number
  /**
   * If set, so many events are taken from the broker at once, a quarter of them of one workspace at most, and their
   * workspaces take turns, step by step (see `EventHandler`); further events of a workspace are deferred (see
   * `createDeferral`). Otherwise events are handled in the order of the stream.
   */
  maxWaiting?: number
  log: Log
  metrics?: Metrics
  /** Failed attempts after which an event becomes a dead letter. Default 5. */
  maxAttempts?: number
  /** Pauses before the second and later attempts in milliseconds. Keep them short: waiting events count as pending. */
  retryMs?: readonly number[]
  /**
   * Time after which the broker redelivers the events of a consumer that is gone or stalls; default 6,000 ms. One that
   * runs says so three times as often, however long its handler takes.
   */
  ackWaitMs?: number
  /** Interval of the broker's idle heartbeat; two missed ones end the pull. Default 10,000 ms. */
  heartbeatMs?: number
  /** Interval of the search for redriven events. Default 30,000 ms. */
  redrivePollMs?: number
  /** Interval of the search for deferred events that another replica has left. Default 5,000 ms. */
  deferredPollMs?: number
}

/** As `ConsumerOptions`, but for handlers of batches; `concurrency` is the maximum number of batches at once. */
export interface BatchConsumerOptions<Client> extends Omit<ConsumerOptions<Client>, 'handle'> {
  handle: BatchHandler<Client>
  /** Maximum number of events in a batch. Default 100. */
  maxBatchSize?: number
  /**
   * If set, with `maxWaiting`: events that wait for a turn, of whatever workspaces, are handled together, in a
   * transaction of the worker role. If that fails, or would wait for a lock, each of the workspaces gets a transaction
   * of its own.
   */
  shared?: {
    prepare: PrepareSharedBatch
    /** Maximum number of these batches at once; each uses a connection of the worker pool. */
    concurrency: number
  }
}

/** As `ConsumerOptions`, but for handlers of batches of any workspaces. */
export interface BulkConsumerOptions<Client>
  extends Omit<ConsumerOptions<Client>, 'handle' | 'concurrency' | 'maxWaiting'> {
  handle: BulkHandler
  /** Maximum number of events in a batch. Default 250: the broker delivers at most 256 unacknowledged ones. */
  maxBatchSize?: number
}
