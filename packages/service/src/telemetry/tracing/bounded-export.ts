import type { BatchSpanProcessor, ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Metrics } from '@wp/runtime'
import type { Logger } from '../logger.ts'

/** Ended spans that wait for the collector, about 1 KiB each. Further ones are dropped and counted. */
export const maxWaitingSpans = 2_048

interface BoundedExport {
  /** Sends batches; reports those that fail. */
  exporter: SpanExporter
  /** Passes ended spans on while fewer than `maxWaitingSpans` wait. */
  limit(processor: BatchSpanProcessor): SpanProcessor
}

/**
 * Wraps an exporter so that spans which do not reach the collector are counted, and reported once when it begins to
 * fail and once when it works again. The batch processor of OpenTelemetry drops them silently.
 */
export function boundExport(
  exporter: SpanExporter,
  { log, metrics }: { log: Logger; metrics: Metrics },
): BoundedExport {
  let waiting = 0
  let isFailing = false
  const drop = (reason: string, count: number) => metrics.count('trace_spans_dropped_total', { reason }, count)
  const report = (error: Error | undefined) => {
    if (isFailing === (error !== undefined)) return
    isFailing = error !== undefined
    if (isFailing)
      log.warn({ event: 'traces.export_failed', err: error }, 'failed to send spans to the collector; they are dropped')
    else log.info({ event: 'traces.export_recovered' }, 'the collector accepts spans again')
  }
  return {
    exporter: {
      export(spans, done) {
        waiting -= spans.length
        exporter.export(spans, (result) => {
          const hasFailed = result.code !== 0 // ExportResultCode.SUCCESS
          if (hasFailed) drop('export_failed', spans.length)
          else metrics.count('trace_spans_exported_total', {}, spans.length)
          report(hasFailed ? (result.error ?? new Error('the collector refused the spans')) : undefined)
          done(result)
        })
      },
      shutdown: () => exporter.shutdown(),
    },
    limit: (processor) => ({
      onStart() {},
      onEnd(span: ReadableSpan) {
        if (waiting >= maxWaitingSpans) return drop('queue_full', 1)
        waiting += 1
        processor.onEnd(span)
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    }),
  }
}
