/**
 * Attributes of a span, by the names of OpenTelemetry's semantic conventions where there are some: ids, kinds and route
 * templates. Never addresses with their query, personal data or secrets.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** Side of a connection or queue that the span is about; default neither. */
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  /** The `traceparent` of the parent. Without one there is no trace to be part of. */
  parent: string | null | undefined
  attributes?: SpanAttributes
  /** The `traceparent` of further causes, for work that has several. Those that are not sampled are left out. */
  links?: readonly (string | null | undefined)[]
}

/** A part of a trace: something that was done, with its duration. */
export interface Span {
  /** Names this span as the parent of others (https://www.w3.org/TR/trace-context/). */
  readonly traceparent: string
  setAttributes(attributes: SpanAttributes): void
  /** Records that something happened. @param atMs milliseconds since 1970; default now */
  addEvent(name: string, atMs?: number): void
  /** Ends the span. @param error the class of the error that ended it, such as a status or a code; never its message */
  end(error?: string): void
}

/** Starts the spans of one process. Absent where tracing is off. */
export interface Tracing {
  /**
   * Starts a span in a sampled trace.
   * @returns undefined if the trace of `parent` is not sampled; starting it then costs one comparison
   */
  startSpan(name: string, options: SpanOptions): Span | undefined
  /**
   * Decides by the configured ratio whether a request is traced, and starts its first span. Only the edge calls it: the
   * flags of the parent, which a client chose, are ignored.
   *
   * @returns undefined if the request is not sampled
   */
  startTrace(name: string, options: SpanOptions): Span | undefined
}

/**
 * Returns true if the flags of a `traceparent` say that its trace is sampled. They are the last two of its four fields'
 * 55 characters, hexadecimal; only the lowest bit is about sampling.
 */
export function isSampled(traceparent: string | null | undefined): traceparent is string {
  return traceparent?.length === 55 && (Number.parseInt(traceparent.charAt(54), 16) & 1) === 1
}

/** Returns the class of an error for `Span.end`: its code or name. Messages may contain what a user has sent. */
export function errorClass(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Runs work within a span, if there is one: ends it with the class of the error if the work fails. */
export async function withSpan<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return await work()
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end(errorClass(error))
    throw error
  }
}

/**
 * Structured log; a pino logger satisfies it. `fields` carries a stable `event` name, such as `consumer.paused`, that
 * an alert can match.
 */
export interface Log {
  info?(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Discards every message. */
export const noLog: Log = { warn() {}, error() {} }

type Labels = Record<string, string>

/** Sink for a worker's measurements. */
export interface Metrics {
  count(name: string, labels?: Labels, by?: number): void
  gauge(name: string, value: number, labels?: Labels): void
  /** Records a duration in seconds. @param traceparent the span that was measured, as an example of its bucket */
  observe(name: string, seconds: number, labels?: Labels, traceparent?: string): void
}

/** Discards every measurement. */
export const noMetrics: Metrics = { count() {}, gauge() {}, observe() {} }
