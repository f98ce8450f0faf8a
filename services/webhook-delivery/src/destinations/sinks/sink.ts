import type { DestinationErrorCode } from '@wp/contracts'
import type { Outbound } from '@wp/outbound'

/** A record of a log, as it is written. */
export interface SinkRecord {
  /** Position in the log. */
  seq: number
  /** Identifier of the event or of the audit record, the same in every repetition. */
  id: string
  /** Event kind or action. */
  kind: string
  occurredAt: Date
  /** The record as JSON. */
  text: string
}

/** Records that are written together, in order; at least one. */
export interface SinkBatch {
  destinationId: string
  workspaceId: string
  content: 'events' | 'audit'
  /** A test record has no position; it must be told apart from those of the log. */
  isTest: boolean
  records: readonly SinkRecord[]
}

/** Dependencies and limits of a write. */
export interface SinkContext {
  outbound: Outbound
  /** Milliseconds since 1970. */
  now: () => number
  /** Time limits of a request, and of its connection. */
  timeoutMs: number
  connectTimeoutMs: number
  signal: AbortSignal
}

/** A connection to the other side, for one batch and its parts. */
export interface Sink {
  /** Limits of one write. Records that exceed `maxRecordBytes` are left out. */
  maxRecordBytes: number
  maxRecords: number
  maxBytes: number
  /**
   * Writes a batch. The same batch written again gives the same object, or has the same key.
   * @returns what the other side responded, in a line
   * @throws SinkError
   */
  write(batch: SinkBatch): Promise<string>
  close?(): void
}

/** A failed write. */
export class SinkError extends Error {
  override readonly name = 'SinkError'
  /** `too_large`: the other side refuses the batch for its size; a smaller one may be accepted. */
  readonly code: DestinationErrorCode | 'too_large'
  /** Pause that the other side asks for. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: SinkError['code'],
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Returns the key of a batch, by which the other side recognizes a repetition. */
export const batchKey = ({ destinationId, records }: SinkBatch): string =>
  `${destinationId}-${records[0]?.seq ?? 0}-${records.at(-1)?.seq ?? 0}`
