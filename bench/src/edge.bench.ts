import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServers } from '@wp/testkit'
import { createAccessTokens, createApiKeys } from './edge/create-credentials.ts'
import { type EdgeFleet, startEdgeFleet } from './edge/edge-fleet.ts'
import { cpuMicroseconds, heapOf, memoryOf, pinTo } from './edge/process-usage.ts'
import { baselineName, type ReferenceProxy, startReferenceProxies } from './edge/reference-proxies.ts'
import { summarizeCpuProfile } from './harness/cpu-profile.ts'
import { type LoadResult, runClosedLoop, runOpenLoop } from './harness/load.ts'
import { numericOption, optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import { median } from './harness/statistics.ts'

const connections = 32
const rounds = 3

/**
 * Compares the gateway with reference proxies: requests per second, processor time of one request in the measured
 * process (the best round), and latency. All proxies have the same upstream, which is measured on its own, too.
 * Requests use many credentials in turn; GET and POST with a body are measured separately. Each proxy runs alone on one
 * core, the upstream and the load on the other. Compare the ratios of one run; absolute figures depend on the machine.
 *
 * Options: seconds per measurement (default 5), `--credentials n` (default 10,000), `--only text` for proxies whose
 * name contains the text, `--without-log` for a gateway that does not follow the change log of auth, so that identities
 * live 10 seconds, `--profile` to report the functions that use most of the gateway's processor time.
 */
export async function run(options: string[]): Promise<void> {
  const credentials = Number(optionValue(options, '--credentials') ?? 10_000)
  const only = optionValue(options, '--only') ?? ''
  const seconds = numericOption(options) ?? 5
  const profileDirectory = options.includes('--profile') ? mkdtempSync(join(tmpdir(), 'wp-profile-')) : undefined
  const profiling =
    profileDirectory === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDirectory}` }
  // processes started from here run on the same core
  const canPin = pinTo(1, process.pid)
  const servers = await startTestServers()
  const followsLog = !options.includes('--without-log')
  const edge = await startEdgeFleet({ ...profiling, ...(followsLog ? {} : { IDENTITY_PROVEN_CACHE_SECONDS: '0' }) })
  const references = await startReferenceProxies(edge.upstream.url)
  try {
    const gatewayPid = edge.fleet.member('gateway').pid
    const isPinned = canPin && [gatewayPid, ...references.map(({ pid }) => pid)].every((pid) => pinTo(0, pid))
    const proxies = (await listProxies(edge, references, credentials)).filter(
      ({ name }) => name.includes(only) || name === baselineName,
    )
    const rows = [
      ...(await compareProxies('GET', proxies, references, seconds)),
      ...(await compareProxies('POST', proxies, references, seconds)),
    ]
    report('edge', rows, {
      ...{ credentials, connections, rounds, seconds, pinned: isPinned, followsLog },
      upstream: await (await fetch(`${edge.upstream.url}/stats`)).json(),
      memory: memoryOf(gatewayPid),
      heap: await heapOf(edge.fleet.adminUrl),
    })
  } finally {
    for (const reference of references) reference.stop()
    await edge.stop()
    if (profileDirectory !== undefined) report('edge-profile', summarizeCpuProfile(profileDirectory))
    await servers.stop()
  }
}

interface MeasuredProxy {
  name: string
  port: number
  pid: number | undefined
  /** One header line for each credential. */
  headers: readonly string[]
}

async function listProxies(
  { fleet, upstream }: EdgeFleet,
  references: readonly ReferenceProxy[],
  credentials: number,
): Promise<MeasuredProxy[]> {
  const keys = await createApiKeys(fleet, credentials)
  const tokens = await createAccessTokens(fleet, credentials)
  const gateway = { port: Number(new URL(fleet.baseUrl).port), pid: fleet.member('gateway').pid }
  return [
    { ...upstream, name: 'upstream alone', headers: ['accept: */*'] },
    ...references.map((reference) => ({ ...reference, headers: tokens })),
    { ...gateway, name: 'gateway, tokens', headers: tokens },
    { ...gateway, name: 'gateway, API keys', headers: keys },
  ]
}

interface Measurement {
  loads: LoadResult[]
  /** Least processor time per request of all rounds, in microseconds. */
  cpuMicroseconds: number
}

async function compareProxies(
  method: 'GET' | 'POST',
  proxies: readonly MeasuredProxy[],
  references: readonly ReferenceProxy[],
  seconds: number,
): Promise<Record<string, string | number>[]> {
  const targets = proxies.map((proxy) => ({ ...proxy, connections, requests: createRequests(method, proxy.headers) }))
  for (const target of targets) await runClosedLoop({ ...target, seconds: 3 }) // warms up code and caches
  const measurements = new Map<string, Measurement>()
  for (let round = 0; round < rounds; round += 1)
    for (const target of targets) {
      const usedBefore = cpuMicroseconds(target.pid)
      const load = await runClosedLoop({ ...target, seconds })
      const cost = (cpuMicroseconds(target.pid) - usedBefore) / load.requests
      const previous = measurements.get(target.name)
      measurements.set(target.name, {
        loads: [...(previous?.loads ?? []), load],
        cpuMicroseconds: Math.min(cost, previous?.cpuMicroseconds ?? cost),
      })
    }
  const perSecondOf = (name: string) => median(measurements.get(name)?.loads.map((load) => load.perSecond) ?? [])
  const rows: Record<string, string | number>[] = []
  for (const target of targets) {
    const { loads, cpuMicroseconds: cost } = measurements.get(target.name) ?? { loads: [], cpuMicroseconds: Number.NaN }
    const openLoop = await runOpenLoop({ ...target, seconds: 3, rate: 1000 })
    rows.push({
      method,
      proxy: target.name,
      'requests/s': Math.round(perSecondOf(target.name)),
      'of bare': perSecondOf(target.name) / perSecondOf(baselineName),
      'CPU µs': cost,
      ...costRatios(references, measurements, cost),
      'p50 ms at 1000/s': openLoop.p50,
      'p99 ms at 1000/s': openLoop.p99,
      'p50 ms full': median(loads.map((load) => load.p50)),
      'p99 ms full': median(loads.map((load) => load.p99)),
      'not 2xx': loads.reduce((sum, load) => sum + load.failures, openLoop.failures),
    })
  }
  return rows
}

/** Returns the processor time of each reference proxy divided by `cost`. */
const costRatios = (
  references: readonly ReferenceProxy[],
  measurements: ReadonlyMap<string, Measurement>,
  cost: number,
): Record<string, number> =>
  Object.fromEntries(
    references.flatMap(({ name, shortName }) => {
      const measurement = measurements.get(name)
      return measurement === undefined ? [] : [[`${shortName} / CPU`, measurement.cpuMicroseconds / cost]]
    }),
  )

function createRequests(method: 'GET' | 'POST', headers: readonly string[]): Buffer[] {
  const path = '/v1/data/sources'
  const body = JSON.stringify({ name: 'bench', note: 'x'.repeat(480) })
  const contentHeaders = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return headers.map((header) =>
    Buffer.from(
      method === 'GET'
        ? `GET ${path} HTTP/1.1\r\nhost: bench\r\n${header}\r\n\r\n`
        : `POST ${path} HTTP/1.1\r\nhost: bench\r\n${contentHeaders}${header}\r\n\r\n${body}`,
    ),
  )
}
