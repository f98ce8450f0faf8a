/** Something that works beside the requests. */
export interface Worker {
  readonly name: string
  /** Resolves at once; what it needs and cannot reach it waits for. */
  start(): Promise<void>
  /** Takes up nothing new, finishes what is under way. */
  stop(): Promise<void>
}

/** Where workers count; the registry of @wp/service fits. */
export interface Metrics {
  count(name: string, labels?: Record<string, string>, by?: number): void
  gauge(name: string, value: number, labels?: Record<string, string>): void
  observe(name: string, seconds: number, labels?: Record<string, string>): void
}

/** For those who do not measure. */
export const noMetrics: Metrics = { count() {}, gauge() {}, observe() {} }
