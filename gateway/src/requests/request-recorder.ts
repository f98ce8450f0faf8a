import { auditInternal, maxReportedRequests, type RequestReport } from '@wp/contracts'
import type { Log, Metrics } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { type AnsweredRequest, createRequestBuffer, reportedCount, reportedRequest } from './request-buffer.ts'

/** Reports the requests of workspaces to the audit service, for the request log. It may lose some, and never waits. */
export interface RequestRecorder {
  /** Adds an answered request. Costs less than a microsecond: everything else happens when it is reported. */
  record(request: AnsweredRequest): void
  /** Reports what was added since the last report; what cannot be sent is dropped. */
  report(): Promise<void>
  /** Reports the rest. */
  close(): Promise<void>
}

interface Options {
  internal: Pick<InternalCalls, 'callAsSystem'>
  log: Log
  metrics: Pick<Metrics, 'count'>
  /** Pause between reports; default 2,000 ms. */
  intervalMs?: number
}

export function createRequestRecorder({ internal, log, metrics, intervalMs = 2_000 }: Options): RequestRecorder {
  const buffer = createRequestBuffer()
  let reporting: Promise<void> | undefined
  let isFailing = false

  async function send(shard: string, body: RequestReport): Promise<void> {
    try {
      const input = { params: {}, query: {}, body }
      await internal.callAsSystem(auditInternal.recordRequests, { workspaceId: null, shard }, input)
      isFailing = false
    } catch (err) {
      metrics.count('edge_request_log_dropped', {}, body.requests.length)
      if (!isFailing)
        log.warn({ event: 'request_log.dropped', err, shard }, 'requests dropped: the audit service failed')
      isFailing = true
    }
  }

  /** One batch after the other, so that a report never blocks the event loop for long. */
  async function sendAll(): Promise<void> {
    for (const { shard, requests, counts } of buffer.take())
      for (let start = 0; start < Math.max(requests.length, counts.length); start += maxReportedRequests) {
        const end = start + maxReportedRequests
        await send(shard, {
          requests: requests.slice(start, end).map(reportedRequest),
          counts: counts.slice(start, end).map(reportedCount),
        })
      }
  }

  function report(): Promise<void> {
    reporting ??= sendAll().finally(() => {
      reporting = undefined
    })
    return reporting
  }

  const timer = setInterval(() => void report(), intervalMs).unref()
  return {
    record(request) {
      const dropped = buffer.add(request)
      if (dropped > 0) metrics.count('edge_request_log_dropped')
    },
    report,
    async close() {
      clearInterval(timer)
      await report() // one that runs already
      await report()
    },
  }
}
