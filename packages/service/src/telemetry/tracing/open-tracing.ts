import type { OpenTracing, TracingOptions } from './tracing-options.ts'

/** Starts tracing if an address is configured. OpenTelemetry is loaded then only: it costs 20 MiB of memory. */
export async function openTracing(options: TracingOptions): Promise<OpenTracing> {
  const { endpoint } = options
  if (endpoint === undefined) return { tracing: undefined, close: async () => {} }
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  return startOpenTelemetry({ ...options, endpoint })
}
