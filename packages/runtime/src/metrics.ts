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
