import { startTraceCollector, type TestFleet } from '@wp/testkit'
import { Pool } from 'undici'
import { withEdgeFleet } from './edge/edge-fleet.ts'
import { baselineName, startReferenceProxies } from './edge/reference-proxies.ts'
import { runClosedLoop, wireRequest } from './harness/closed-loop.ts'
import { createApiKeys } from './harness/fleet.ts'
import { atFixedRate, type Summary, sendOnSchedule, summarize } from './harness/open-loop.ts'
import {
  cpuPerRequest,
  type MeteredProcess,
  meteredProcess,
  pinTo,
  residentMib,
  startMeter,
} from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'
import { alternate, median } from './harness/statistics.ts'

const connections = 32
const rounds = 3
const path = '/v1/data/sources'
const body = JSON.stringify({ name: 'bench', note: 'x'.repeat(480) })
/** The open loop: requests per second, and its duration. */
const open = { perSecond: 1_000, seconds: 3 }

/** Compares the gateway with reference proxies. Each runs alone on one core, the upstream and the load on the other. */
export async function run({ seconds, credentials }: Record<'seconds' | 'credentials', number>): Promise<void> {
  // Processes that are started from here run on the same core.
  const canPin = pinTo(1, process.pid)
  const collector = await startTraceCollector()
  await withEdgeFleet({}, async (fleet, upstream) => {
    const references = await startReferenceProxies(upstream.url)
    try {
      const proxies = await listProxies(fleet, [upstream, ...references], collector.url, credentials)
      const isPinned = canPin && proxies.slice(1).every(({ pid }) => pinTo(0, pid))
      const rows: Row[] = []
      for (const method of ['GET', 'POST'] as const) rows.push(...(await compareProxies(method, proxies, seconds)))
      report('edge', rows, {
        credentials,
        connections,
        rounds,
        seconds,
        pinned: isPinned,
        upstream: await (await fetch(`${upstream.url}/stats`)).json(),
      })
    } finally {
      await Promise.all(references.map((reference) => reference.stop()))
    }
  })
  collector.close()
}

interface MeasuredProxy extends MeteredProcess {
  url: string
  /** One header line for each credential. */
  headers: readonly string[]
}

async function listProxies(
  fleet: TestFleet,
  others: readonly Omit<MeasuredProxy, 'headers'>[],
  collectorUrl: string,
  credentials: number,
): Promise<MeasuredProxy[]> {
  const keys = await createApiKeys(fleet, credentials)
  const tokens = (await fleet.tokens(fleet.owner, credentials)).map((token) => `authorization: Bearer ${token}`)
  const { pid } = meteredProcess('gateway', fleet.member('gateway'))
  const traced = await fleet.addEdge({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: '1' })
  return [
    ...others.map((other) => ({ ...other, headers: tokens })),
    { name: 'gateway, tokens', pid, url: fleet.baseUrl, headers: tokens },
    { name: 'gateway, API keys', pid, url: fleet.baseUrl, headers: keys },
    { ...meteredProcess('gateway, all traced', traced.member), url: traced.baseUrl, headers: tokens },
  ]
}

type Method = 'GET' | 'POST'

async function compareProxies(method: Method, proxies: readonly MeasuredProxy[], seconds: number): Promise<Row[]> {
  const targets = proxies.map((proxy) => ({
    ...proxy,
    connections,
    requests: proxy.headers.map((header) => wireRequest(path, header, method === 'POST' ? body : undefined)),
  }))
  for (const target of targets) await runClosedLoop({ ...target, seconds: 3 }) // warms up code and caches
  const measured = await alternate(targets, rounds, async (target) => {
    const readUsage = startMeter([target])
    const load = await runClosedLoop({ ...target, seconds })
    return { load, cpuUs: 1_000 * cpuPerRequest(readUsage(), target.name, load.requests) }
  })
  const figures = [...measured].map(([target, all]) => ({
    target,
    perSecond: median(all.map(({ load }) => load.perSecond)),
    cpuUs: Math.min(...all.map(({ cpuUs }) => cpuUs)),
    failures: all.reduce((sum, { load }) => sum + load.failures, 0),
  }))
  const baseline = figures.find(({ target }) => target.name === baselineName)
  const others = figures.filter(({ target }) => !target.name.startsWith('upstream'))
  const rows: Row[] = []
  for (const { target, perSecond, cpuUs, failures } of figures) {
    const openLoop = await runOpenLoop(target, method)
    rows.push({
      method,
      proxy: target.name,
      'requests/s': Math.round(perSecond),
      'of bare': perSecond / (baseline?.perSecond ?? Number.NaN),
      'CPU µs': cpuUs,
      // How many requests this one costs of what each of the others does with a request.
      ...Object.fromEntries(others.map((other) => [`CPU of ${other.target.name}`, other.cpuUs / cpuUs])),
      'p50 ms at 1000/s': openLoop.p50,
      'p99 ms at 1000/s': openLoop.p99,
      'not 2xx': failures + openLoop.failures,
    })
  }
  return rows
}

/** Measures latency at a fixed rate over the same number of connections. */
async function runOpenLoop({ url, headers }: MeasuredProxy, method: Method): Promise<Summary> {
  const pool = new Pool(url, { connections })
  const content = method === 'POST' ? { body, type: { 'content-type': 'application/json' } } : { body: null, type: {} }
  const outcomes = await sendOnSchedule(atFixedRate(open.perSecond, open.seconds), {
    async send(index) {
      const [name = '', value = ''] = headers[index % headers.length]?.split(': ') ?? []
      const sent = { path, method, body: content.body, headers: { ...content.type, [name]: value } }
      const response = await pool.request(sent)
      await response.body.dump()
      return response.statusCode
    },
  })
  await pool.close()
  return summarize(outcomes, open.seconds)
}

/** The heap options of the gateway in docker-compose.yml. */
const heapOptions = '--max-old-space-size=160 --max-semi-space-size=8'

/** Measures the gateway's memory after one request with each API key, and after as many again. */
export async function measureMemory({ credentials }: { credentials: number }): Promise<void> {
  await withEdgeFleet({ NODE_OPTIONS: heapOptions }, async (fleet) => {
    const { pid } = meteredProcess('gateway', fleet.member('gateway'))
    const rows: Row[] = []
    for (const used of [0, credentials, 2 * credentials]) {
      const keys = used === 0 ? [] : await createApiKeys(fleet, credentials)
      const requests = keys.map((header) => wireRequest(path, header))
      const { failures } = await runClosedLoop({ url: fleet.baseUrl, requests, connections })
      const metrics = await (await fetch(`${fleet.adminUrl}/metrics`)).text()
      const heap = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1]
      const memory = { 'resident MiB': residentMib(pid), 'used heap MiB': Math.round(Number(heap) / 2 ** 20) }
      rows.push({ credentials: used, ...memory, 'not 2xx': failures })
    }
    report('edge-memory', rows, { credentials, connections })
  })
}
