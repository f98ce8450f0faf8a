import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually, startTraceCollector } from '@wp/testkit'
import { createLogger, createMetrics, openTracing } from '../src/index.ts'
import { maxWaitingSpans } from '../src/telemetry/tracing/open-telemetry.ts'

const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const unsampled = sampled.replace(/01$/, '00')
const log = createLogger('test', 'silent')

let cleanup: AsyncDisposableStack
beforeEach(() => {
  cleanup = new AsyncDisposableStack()
})
afterEach(() => cleanup.disposeAsync())

async function open(answer: 'accept' | 'hang' = 'accept', sampleRatio = 1) {
  const collector = await startTraceCollector(answer)
  const metrics = createMetrics('test', { process: false, exemplars: true })
  const { tracing, close } = await openTracing({ service: 'test', endpoint: collector.url, sampleRatio, log, metrics })
  cleanup.defer(close)
  cleanup.defer(() => collector.close()) // first: one that hangs would delay the end
  if (tracing === undefined) throw new Error('tracing is off')
  return { tracing, close, collector, metrics }
}

describe('tracing', () => {
  it('sends spans below their parents', async () => {
    const { tracing, close, collector } = await open()
    const first = tracing.startTrace('first', { kind: 'server', parent: undefined })
    const second = tracing.startSpan('second', { parent: first?.traceparent, attributes: { 'wp.job.id': 'job_1' } })
    second?.addEvent('something')
    second?.end('ECONNRESET')
    first?.end()
    await close()
    const spans = [...collector.spans].sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(spans).toMatchObject([
      { service: 'test', name: 'first', kind: 'server', parentId: undefined, hasFailed: false },
      { name: 'second', kind: 'internal', parentId: spans[0]?.spanId, events: ['something'], hasFailed: true },
    ])
    expect(spans[1]?.attributes).toEqual({ 'wp.job.id': 'job_1', 'error.type': 'ECONNRESET' })
    expect(first?.traceparent).toBe(`00-${spans[0]?.traceId}-${spans[0]?.spanId}-01`)
  })

  it('continues sampled traces only', async () => {
    const { tracing } = await open()
    expect(tracing.startSpan('continued', { parent: sampled })?.traceparent).toContain(sampled.slice(0, 36))
    for (const parent of [unsampled, undefined, null, '', 'malformed', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])
      expect(tracing.startSpan('not continued', { parent })).toBeUndefined()
  })

  it('decides by ratio at the edge, whatever the flags of the client are', async () => {
    const { tracing } = await open('accept', 0)
    expect(tracing.startTrace('request', { parent: sampled })).toBeUndefined()
    const always = await open('accept', 1)
    expect(always.tracing.startTrace('request', { parent: unsampled })?.traceparent).toMatch(
      new RegExp(`^${sampled.slice(0, 36)}[0-9a-f]{16}-01$`),
    )
  })

  it('links the other causes of a batch, without those that are not sampled', async () => {
    const { tracing, close, collector } = await open()
    const other = sampled.replace('0af7', '1af7')
    tracing.startSpan('batch', { parent: sampled, links: [other, unsampled, null] })?.end()
    await close()
    expect(collector.spans[0]?.links).toEqual([{ traceId: other.slice(3, 35), spanId: other.slice(36, 52) }])
  })

  it('bounds the spans that wait for a collector that never answers, and counts those it drops', async () => {
    const { tracing, collector, metrics } = await open('hang')
    const startSpans = (count: number) => {
      for (let index = 0; index < count; index++) tracing.startSpan('span', { parent: sampled })?.end()
    }
    startSpans(512) // a whole batch, which is sent at once
    await eventually(() => collector.requests > 0)
    startSpans(maxWaitingSpans + 100)
    const text = await metrics.registry.metrics()
    expect(text).toContain('trace_spans_dropped_total{reason="queue_full",service="test"} 100\n')
  })

  it('names a sampled trace as the example of a bucket', async () => {
    const { metrics } = await open()
    metrics.observe('http_request_seconds', 0.002, { endpoint: 'a' }, sampled)
    metrics.observe('http_request_seconds', 0.2, { endpoint: 'a' }, unsampled)
    const exemplars = (await metrics.registry.metrics()).split('\n').filter((line) => line.includes(' # {'))
    expect(exemplars).toEqual([
      expect.stringMatching(/le="0.0025".* 1 # \{trace_id="0af7651916cd43dd8448eb211c80319c"\} 0.002 /),
    ])
  })
})

describe('metrics', () => {
  it.each([true, false])('have the same names with exemplars (%s) and without', async (exemplars) => {
    const metrics = createMetrics('test', { process: false, exemplars })
    metrics.count('edge_refusals', { code: 'forbidden' })
    metrics.count('jobs_ended_total', { queue: 'forecast' })
    const lines = (await metrics.registry.metrics()).split('\n').filter((line) => /^[a-z]/.test(line))
    expect(lines).toEqual([
      'edge_refusals{code="forbidden",service="test"} 1',
      'jobs_ended_total{queue="forecast",service="test"} 1',
    ])
  })
})

describe('the OpenTelemetry SDK', () => {
  /** Returns how many of its modules a process loads that starts tracing. Prisma loads its API, without effect. */
  async function countModules(endpoint: string | undefined): Promise<number> {
    const code = `
      import { createRequire } from 'node:module'
      const { createLogger, createMetrics, openTracing } = await import(process.argv[1])
      const metrics = createMetrics('test', { process: false })
      await openTracing({ service: 'test', endpoint: process.argv[2], log: createLogger('test', 'silent'), metrics })
      const loaded = Object.keys(createRequire(process.argv[1]).cache)
      console.log(loaded.filter((file) => /@opentelemetry.(sdk|otlp|exporter)/.test(file)).length)`
    const entry = join(import.meta.dirname, '../src/index.ts')
    const args = ['--input-type=module', '--eval', code, entry, ...(endpoint === undefined ? [] : [endpoint])]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return Number(stdout)
  }

  it('is not loaded while tracing is off', async () => {
    expect(await countModules(undefined)).toBe(0)
    expect(await countModules('http://127.0.0.1:9')).toBeGreaterThan(0)
  })
})
