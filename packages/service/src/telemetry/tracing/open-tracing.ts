import type { Span } from '@wp/runtime'
import type { OpenTracing, TracingOptions } from './tracing-options.ts'

/** Starts tracing if an address is configured. OpenTelemetry is loaded then only: it costs 20 MiB of memory. */
export async function openTracing(options: TracingOptions): Promise<OpenTracing> {
  const { endpoint } = options
  if (endpoint === undefined) return { tracing: undefined, close: async () => {} }
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  return startOpenTelemetry({ ...options, endpoint })
}

/** Ends the span of a request that was served. Only failures of the server are errors: a refusal is an answer. */
export function endServerSpan(span: Span | undefined, statusCode: number): void {
  if (span === undefined) return
  span.setAttributes({ 'http.response.status_code': statusCode })
  span.end(statusCode >= 500 ? String(statusCode) : undefined)
}
