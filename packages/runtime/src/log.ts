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
