import type { DomainEvent } from '@wp/contracts'
import type { Query, Transaction } from '@wp/database'

/** Position of an event in the stream and how it was delivered. */
export interface EventMetadata {
  /** Stream sequence; 0 if unknown. Consumers that need order store it and process only up to the watermark. */
  sequence: number
  /** True if the broker or a redrive may have delivered the event before. */
  redelivered: boolean
  /**
   * Creation time of the stream as the broker reports it; null if unknown. A recreated stream restarts at sequence 1.
   */
  streamCreatedAt: string | null
  /**
   * Subject of the message; null if unknown. Broker permissions bind producers to subjects, so unlike the content of
   * the event it proves the producer.
   */
  subject: string | null
  /** Set if the event was stored because its workspace had its share of the events in progress. */
  isDeferred?: true
}

export interface ReceivedEvent {
  event: DomainEvent
  metadata: EventMetadata
}

/**
 * Applies the effect of one event, in one transaction with its inbox row. Must be short; use a job for long work.
 *
 * @returns `more` if this is only one step of the effect: it is committed without the inbox row, and the handler is
 *   called again in a new transaction. After a crash the event starts over, so a handler must find in the database
 *   which steps are done.
 */
export type EventHandler<Client = unknown> = (
  event: DomainEvent,
  tx: Transaction<Client>,
  metadata: EventMetadata,
  // biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
) => Promise<void | 'more'>

/**
 * Registers a listener that is called once the transaction of a handler has ended. It must not throw.
 * `isCommitted`: false also if the result of the commit is not known.
 */
export type OnTransactionEnd = (listener: (isCommitted: boolean) => void) => void

/**
 * Applies the effects of events of one workspace, in order of delivery. None of them has been handled before.
 *
 * @returns the events of which this is only one step, or that it has left for the next one: as with the `more` of an
 *   `EventHandler`, they are handled again
 */
export type BatchHandler<Client = unknown> = (
  batch: readonly ReceivedEvent[],
  tx: Transaction<Client>,
  onEnd: OnTransactionEnd,
  // biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
) => Promise<void | readonly ReceivedEvent[]>

/**
 * Begins to handle events of several workspaces, through the worker role: it sees the rows of all workspaces, so every
 * statement names them. Some of the events may have been handled before. What it reads is sent together with the inbox
 * rows, if it waits for nothing before; it must not write.
 *
 * @returns the handler of those events that are new
 */
export type PrepareSharedBatch = (batch: readonly ReceivedEvent[], query: Query) => Promise<SharedBatchHandler>

/** As `BatchHandler`, but for events of several workspaces. */
export type SharedBatchHandler = (
  batch: readonly ReceivedEvent[],
  tx: Pick<Transaction, 'query' | 'wake'>,
  onEnd: OnTransactionEnd,
) => Promise<SharedBatchEffect>

export interface SharedBatchEffect {
  /** As the result of a `BatchHandler`. */
  unfinished: readonly ReceivedEvent[]
  /** Sends the last statements, before it waits for anything: the commit follows at once. */
  write(): Promise<void>
}

/**
 * Applies the effects of events of any workspaces, in order of delivery, through the worker role: it sees the rows of
 * all workspaces, so every statement names them. None of the events has been handled before.
 */
export type BulkHandler = (batch: readonly ReceivedEvent[], query: Query) => Promise<void>

/** Returns the reason why an event must not be handled, or undefined if it may be. Must be pure and fast. */
export type EventAuthorization = (event: DomainEvent, metadata: EventMetadata) => string | undefined
