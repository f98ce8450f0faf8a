/** A background activity of a process: a relay, a consumer, a job runner. */
export interface Worker {
  readonly name: string
  /** Resolves without waiting for dependencies; the worker retries until they are available. */
  start(): Promise<void>
  /** Stops taking new work and waits for the work in progress. */
  stop(): Promise<void>
}
