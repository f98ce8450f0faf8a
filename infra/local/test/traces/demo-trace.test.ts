import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ServiceName } from '@wp/contracts'
import {
  type CollectedSpan,
  eventually,
  startTestFleet,
  startTraceCollector,
  type TestFleet,
  type TraceCollector,
} from '@wp/testkit'
import { resolveDataDir } from '../../src/data-dir/data-dir.ts'
import type { DemoContext } from '../../src/demo/context.ts'
import { chooseColumns, readTable } from '../../src/demo/csv.ts'
import { createHourReader } from '../../src/demo/hourly-counts.ts'
import { sampleCsv } from '../../src/demo/sample-data.ts'
import { createUploadSource } from '../../src/demo/steps/data.ts'
import { runForecast } from '../../src/demo/steps/forecast.ts'
import { signIn } from '../../src/demo/steps/sign-in.ts'
import { subscribe } from '../../src/demo/steps/webhook.ts'
import type { VerifiedDelivery } from '../../src/demo/webhook-receiver.ts'
import { outboundSettings } from '../../src/outbound-settings.ts'
import { formatTree, pathTo } from './trace-tree.ts'

const root = join(import.meta.dirname, '../../../..')
const pagePath = join(root, 'docs/traces.md')
const services: ServiceName[] = ['auth', 'data', 'solutions', 'webhook-delivery']

let fleet: TestFleet
let collector: TraceCollector
let dataDir: string
/** The spans of the request that started the forecast, of everything that followed from it. */
let trace: readonly CollectedSpan[]
let received: VerifiedDelivery

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'wp-traces-'))
  collector = await startTraceCollector()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' }
  fleet = await startTestFleet({
    services,
    env: {
      ...Object.fromEntries(['gateway', ...services].map((name) => [name, traced])),
      'webhook-delivery': { ...traced, ...outboundSettings(resolveDataDir(dataDir), {}, root) },
    },
  })
  await runDemoForecast()
})

afterAll(async () => {
  await fleet?.stop()
  collector?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs the demo up to the delivery of the finished forecast, and waits for the spans of its trace. */
async function runDemoForecast(): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const { clientId, clientSecret, workspaceId } = fleet.owner
  const output = { printProgress() {}, printResult() {}, width: 80, hasUnicode: false, hasColor: false }
  const platform = { baseUrl: fleet.baseUrl, clientId, clientSecret, workspaceId, stop: async () => {} }
  const client = await signIn(platform, output, cleanup)
  const table = readTable(sampleCsv())
  const [timezone, columns] = ['Europe/Berlin', chooseColumns(table)]
  const input = { name: 'Sample building', table, columns, timezone, hourOf: createHourReader(timezone) }
  const context: DemoContext = { client, input, output, signal: new AbortController().signal, cleanup }
  const sourceId = await createUploadSource(context, input.name, table)
  const { receiver } = await subscribe(context, { host: '127.0.0.1', port: 0, authorityFolder: dataDir })
  const { id: runId } = await runForecast(context, sourceId)
  received = await receiver.waitFor(({ payload }) => payload.id === runId, 'FORECASTING_FINISHED', 60_000)
  trace = await eventually(() => findForecastTrace(), { timeoutMs: 60_000, description: 'the spans of the forecast' })
}

/** Returns the spans of the trace that the forecast began, once nothing is missing; see `isComplete`. */
function findForecastTrace(): CollectedSpan[] | undefined {
  const first = collector.spans.find(
    ({ service, name }) => service === 'gateway' && name === 'solutions.startForecastRun',
  )
  const spans = collector.spans.filter(({ traceId }) => traceId === first?.traceId)
  return isComplete(spans) ? spans : undefined
}

/** Complete: every event that a transaction emitted is published, and both that the webhook selects are delivered. */
function isComplete(spans: readonly CollectedSpan[]): boolean {
  const emitted = spans.reduce((sum, { attributes }) => sum + Number(attributes['wp.events'] ?? 0), 0)
  const published = spans.filter(({ kind }) => kind === 'producer').length
  return emitted > 0 && published === emitted && spans.filter(isAttempt).length === 2
}

const isAttempt = ({ name }: CollectedSpan): boolean => name === 'webhook attempt'

/**
 * Events that come together share a transaction, so that the number of transactions of consumers depends on the time.
 */
function isOfConsumer(span: CollectedSpan): boolean {
  const parent = trace.find(({ spanId }) => spanId === span.parentId)
  return span.name === 'batch' || (span.name === 'transaction' && /^(process|batch)/.test(parent?.name ?? ''))
}

/** Returns what is the same in every run. */
function describeStable({ attributes }: CollectedSpan): string {
  const { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status } = attributes
  const { 'wp.event_kind': event, 'wp.job.outcome': outcome, 'server.address': server } = attributes
  return [...(server === undefined ? [method, route] : [server]), event, status, outcome]
    .filter((each) => each !== undefined)
    .map((each) => ` ${each}`)
    .join('')
}

describe('the trace of the demo forecast', () => {
  it('is one tree from the request at the edge to the delivered webhook', () => {
    const lines = formatTree(trace, { describe: ({ startMs, endMs }) => ` ${(endMs - startMs).toFixed(1)} ms` })
    process.stdout.write(`${lines.join('\n')}\n`)
    expect(lines.filter((line) => /^\S/.test(line) && !line.startsWith('│'))).toHaveLength(1)
    const attempt = trace.find((span) => isAttempt(span) && span.attributes['wp.event_kind'] === 'FORECASTING_FINISHED')
    const path = attempt === undefined ? [] : pathTo(trace, attempt)
    expect(path.map(({ service, name }) => `${service} ${name}`)).toEqual([
      'gateway solutions.startForecastRun',
      'gateway forward',
      'solutions solutions.startForecastRun',
      'solutions job forecast',
      'solutions transaction',
      'solutions publish FORECASTING_FINISHED',
      'webhook-delivery process FORECASTING_FINISHED',
      'webhook-delivery webhook attempt',
    ])
    expect(attempt?.events).toContain('first_byte')
  })

  it('reaches the receiver in the header of the webhook', () => {
    const ids = trace.filter(isAttempt).map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
    expect(ids).toContain(received.traceparent)
  })

  it('has no failures, no raw addresses and no personal data', () => {
    expect(trace.filter(({ hasFailed }) => hasFailed)).toEqual([])
    const values = trace.flatMap(({ attributes }) => Object.values(attributes).map(String))
    expect(values.filter((value) => /[?@]|127\.0\.0\.1|Bearer|key_/.test(value))).toEqual([])
  })

  it('is the one in docs/traces.md', () => {
    const lines = formatTree(trace, { describe: describeStable, omits: isOfConsumer })
    const text = `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`
    const page = readFileSync(pagePath, 'utf8')
    const current = page.replace(/```text\n[\s\S]*?```\n/, text)
    // RECORD_TRACE=1 npm test -- infra/local/test/traces
    if (process.env.RECORD_TRACE === '1') writeFileSync(pagePath, current)
    else expect(page).toBe(current)
  })
})

describe('a trace that a client began', () => {
  it('goes on with its trace id, even if the client does not record it', async () => {
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const headers = { traceparent: `00-${traceId}-${spanId}-00` }
    const { status } = await fleet.request('GET', '/v1/data/sources', { as: fleet.owner.apiKey, headers })
    expect(status).toBe(200)
    const spans = await eventually(() => {
      const found = collector.spans.filter((span) => span.traceId === traceId)
      return found.some(({ service }) => service === 'data') && found.length === 3 ? found : undefined
    })
    expect(spans.find(({ parentId }) => parentId === spanId)).toMatchObject({
      service: 'gateway',
      name: 'data.listSources',
    })
  })
})
