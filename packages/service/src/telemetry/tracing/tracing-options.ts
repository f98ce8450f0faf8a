import type { Tracing } from '@wp/runtime'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics.ts'

/** Tracing of one process, and its end. */
export interface OpenTracing {
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined
  /** Sends the spans that wait, for two seconds at most. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** Name of the process, the `service.name` of its spans. */
  service: string
  /** Base address of a collector of OTLP over HTTP; tracing is off without one. */
  endpoint: string | undefined
  /** Share of requests that the edge traces, 0 to 1. Other processes continue the traces that the edge has started. */
  sampleRatio?: number
  /** Cell, environment: attributes of the process. */
  resource?: Readonly<Record<string, string>>
  log: Logger
  metrics: MetricsRegistry
}
