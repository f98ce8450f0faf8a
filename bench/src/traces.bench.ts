import { startTestServers, startTraceCollector } from '@wp/testkit'
import { createApiKeys } from './edge/create-credentials.ts'
import { type EdgeFleet, startEdgeFleet } from './edge/edge-fleet.ts'
import { cpuMicroseconds, pinTo } from './edge/process-usage.ts'
import { runClosedLoop } from './harness/load.ts'
import { numericOption } from './harness/options.ts'
import { report } from './harness/report.ts'
import { median } from './harness/statistics.ts'

const connections = 16
const credentials = 100
const rounds = 15

/** Share of requests that each gateway traces; undefined: tracing is off. The second one without shows the noise. */
const variants: readonly { name: string; ratio?: string }[] = [
  { name: 'off' },
  { name: 'off, again' },
  { name: '1 %', ratio: '0.01' },
  { name: '100 %', ratio: '1' },
]

interface Measured {
  name: string
  edge: EdgeFleet
  requests: Buffer[]
  /** Processor time of one request in microseconds, by round. */
  costs: number[]
  failures: number
}

/**
 * Compares the processor time of the gateway for one request with and without traces. The gateways take turns in each
 * round, on one core; compare the ratios. Option: seconds per measurement (default 1).
 */
export async function run(options: string[]): Promise<void> {
  const seconds = numericOption(options) ?? 1
  const canPin = pinTo(1, process.pid)
  const servers = await startTestServers()
  const collector = await startTraceCollector()
  const measured: Measured[] = []
  try {
    for (const { name, ratio } of variants) measured.push(await startVariant(name, ratio, collector.url))
    for (const each of measured) if (canPin) pinTo(0, each.edge.fleet.member('gateway').pid)
    for (const each of measured) await measure(each, 3) // warms up code and caches
    for (let round = 0; round < rounds; round += 1)
      for (const each of measured) each.costs.push(await measure(each, seconds))
    const base = measured[0]?.costs ?? []
    const rows = measured.map(({ name, costs, failures }) => ({
      traces: name,
      'CPU µs': median(costs),
      // within a round, so that other load on the machine affects both
      'of off': median(costs.map((cost, round) => cost / (base[round] ?? Number.NaN))),
      'least CPU µs': Math.min(...costs),
      'least, of off': Math.min(...costs) / Math.min(...base),
      'not 2xx': failures,
    }))
    report('traces', rows, { connections, rounds, seconds, pinned: canPin, spans: collector.spans.length })
  } finally {
    for (const { edge } of measured) await edge.stop()
    collector.close()
    await servers.stop()
  }
}

async function startVariant(name: string, ratio: string | undefined, collectorUrl: string): Promise<Measured> {
  const edge = await startEdgeFleet(
    ratio === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: ratio },
  )
  const requests = (await createApiKeys(edge.fleet, credentials)).map((header) =>
    Buffer.from(`GET /v1/data/sources HTTP/1.1\r\nhost: bench\r\n${header}\r\n\r\n`),
  )
  return { name, edge, requests, costs: [], failures: 0 }
}

/** Sends requests for a time. @returns the processor time of one request, in microseconds */
async function measure(measured: Measured, seconds: number): Promise<number> {
  const { fleet } = measured.edge
  const { pid } = fleet.member('gateway')
  const before = cpuMicroseconds(pid)
  const load = await runClosedLoop({
    port: Number(new URL(fleet.baseUrl).port),
    requests: measured.requests,
    connections,
    seconds,
  })
  measured.failures += load.failures
  return (cpuMicroseconds(pid) - before) / load.requests
}
