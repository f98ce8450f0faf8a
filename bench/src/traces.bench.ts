import { startTraceCollector, type TestFleet } from '@wp/testkit'
import { withEdgeFleet } from './edge/edge-fleet.ts'
import { runClosedLoop, wireRequest } from './harness/closed-loop.ts'
import { createApiKeys } from './harness/fleet.ts'
import { cpuPerRequest, meteredProcess, pinTo, startMeter } from './harness/process-usage.ts'
import { report } from './harness/report.ts'
import { alternate, median } from './harness/statistics.ts'

const connections = 16
const rounds = 15

/** Share of requests that each gateway traces; undefined: tracing is off. The second one without shows the noise. */
const variants: readonly { name: string; ratio?: string }[] = [
  { name: 'off' },
  { name: 'off, again' },
  { name: '1 %', ratio: '0.01' },
  { name: '100 %', ratio: '1' },
]

/** Compares the processor time of gateways for one request with and without traces, in turn on one core. */
export async function run({ seconds }: { seconds: number }): Promise<void> {
  const canPin = pinTo(1, process.pid)
  const collector = await startTraceCollector()
  await withEdgeFleet({}, async (fleet) => {
    const requests = (await createApiKeys(fleet, 100)).map((header) => wireRequest('/v1/data/sources', header))
    const gateways: Awaited<ReturnType<typeof startGateway>>[] = []
    for (const { name, ratio } of variants) gateways.push(await startGateway(fleet, name, collector.url, ratio))
    for (const { pid } of gateways) if (canPin) pinTo(0, pid)
    const measure = async (gateway: (typeof gateways)[number]) => {
      const readUsage = startMeter([gateway])
      const load = await runClosedLoop({ ...gateway, requests, connections, seconds })
      if (load.failures > 0) throw new Error(`${load.failures} requests failed`)
      return 1_000 * cpuPerRequest(readUsage(), gateway.name, load.requests)
    }
    await alternate(gateways, 3, measure) // warms up code and caches
    const costs = [...(await alternate(gateways, rounds, measure))]
    const base = costs[0]?.[1] ?? []
    const rows = costs.map(([{ name }, all]) => ({
      traces: name,
      'CPU µs': median(all),
      // within a round, so that other load on the machine affects both
      'of off': median(all.map((cost, round) => cost / (base[round] ?? Number.NaN))),
    }))
    report('traces', rows, { connections, rounds, seconds, pinned: canPin, spans: collector.spans.length })
  })
  collector.close()
}

async function startGateway(fleet: TestFleet, name: string, collectorUrl: string, ratio: string | undefined) {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: ratio ?? '' }
  const { baseUrl: url, member } = await fleet.addEdge(ratio === undefined ? {} : env)
  return { ...meteredProcess(name, member), url }
}
