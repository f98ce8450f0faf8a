import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, findFreePort, startTestFleet } from '@wp/testkit'
import { summarizeCpuProfile } from './cpu-profile.ts'
import { createAccessTokens, createApiKeys } from './edge/create-credentials.ts'
import { cpuMicroseconds, heapOf, memoryOf, pinTo } from './edge/process-usage.ts'
import { type ReferenceProxy, startReferenceProxies } from './edge/reference-proxies.ts'
import { startProcess } from './edge/start-process.ts'
import { type LoadResult, runClosedLoop, runOpenLoop } from './load.ts'
import { median, report } from './report.ts'
import { startServers } from './test-servers.ts'

const connections = 32
const rounds = 3
/** The yardstick. */
const baselineName = 'bare http-proxy-middleware'

/**
 * Requests a second and latency of: the upstream itself, bare http-proxy-middleware, what others are (nginx with
 * `auth_request`, @fastify/http-proxy), our edge with tokens and with keys. 10,000 distinct credentials in turn, reads and
 * writes with a body; each proxy alone on one core, the upstream and the load on the other. Ratios of one run count; absolute figures are this machine's. `CPU µs` is the processor time of one
 * request at the process measured, the best of the rounds.
 *
 * Options: seconds a measurement (default 5), `--credentials n`, `--only word` to measure fewer, `--profile` to say where
 * the edge's time goes.
 */
export async function run(options: string[]): Promise<void> {
  const credentials = Number(optionOf(options, '--credentials') ?? 10_000)
  const only = optionOf(options, '--only')
  const seconds = Number(options.find((option) => /^\d+$/.test(option)) ?? 5)
  const profileTo = options.includes('--profile') ? mkdtempSync(join(tmpdir(), 'wp-profile-')) : undefined
  const profiling = profileTo === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileTo}` }
  // what is started from here inherits the core
  const isPinned = pinTo(1, process.pid)
  const servers = await startServers()
  const upstreamPort = await findFreePort()
  const upstream = `http://127.0.0.1:${upstreamPort}`
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth'],
    env: { gateway: { UPSTREAM: upstream, LOG_LEVEL: 'error', ...profiling } },
  })
  const upstreamProcess = startProcess('upstream.ts', {
    PORT: String(upstreamPort),
    ASSERTION_KEYS_FILE: fleet.env('auth').ASSERTION_KEYS_FILE ?? '',
  })
  let peers: ReferenceProxy[] = []
  try {
    await eventually(() => fetch(`${upstream}/stats`))
    peers = await startReferenceProxies(upstream)
    const proxies = [fleet.member('gateway').pid, ...peers.map(({ pid }) => pid)]
    const pinned = isPinned && proxies.every((pid) => pinTo(0, pid))
    const [keys, tokens] = [await createApiKeys(fleet, credentials), await createAccessTokens(fleet, credentials)]
    const edgePort = Number(new URL(fleet.baseUrl).port)
    const body = JSON.stringify({ name: 'bench', note: 'x'.repeat(480) })
    const requests = (headers: readonly string[], method: string) =>
      headers.map((header) =>
        Buffer.from(
          method === 'GET'
            ? `GET /v1/data/sources HTTP/1.1\r\nhost: bench\r\n${header}\r\n\r\n`
            : `POST /v1/data/sources HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${header}\r\n\r\n${body}`,
        ),
      )
    const variants = [
      { name: 'upstream itself', port: upstreamPort, headers: ['accept: */*'], pid: upstreamProcess.pid },
      ...peers.map((peer) => ({ ...peer, headers: tokens })),
      { name: 'our edge, tokens', port: edgePort, headers: tokens, pid: fleet.member('gateway').pid },
      { name: 'our edge, API keys', port: edgePort, headers: keys, pid: fleet.member('gateway').pid },
    ]
    const rows: Record<string, string | number>[] = []
    for (const method of ['GET', 'POST']) {
      const prepared = variants
        .filter(({ name }) => only === undefined || name.includes(only) || name === baselineName)
        .map((variant) => ({ ...variant, requests: requests(variant.headers, method) }))
      for (const variant of prepared) await runClosedLoop({ ...variant, connections, seconds: 3 }) // warms code and caches
      const results = new Map<string, LoadResult[]>()
      const costs = new Map<string, number>()
      for (let round = 0; round < rounds; round += 1)
        for (const variant of prepared) {
          const before = cpuMicroseconds(variant.pid)
          const load = await runClosedLoop({ ...variant, connections, seconds })
          const cost = (cpuMicroseconds(variant.pid) - before) / load.requests
          costs.set(variant.name, Math.min(cost, costs.get(variant.name) ?? Number.POSITIVE_INFINITY))
          results.set(variant.name, [...(results.get(variant.name) ?? []), load])
        }
      const perSecond = (name: string) => median((results.get(name) ?? []).map((load) => load.perSecond))
      for (const variant of prepared) {
        const loads = results.get(variant.name) ?? []
        const quiet = await runOpenLoop({ ...variant, connections, seconds: 3, rate: 1000 })
        rows.push({
          method,
          through: variant.name,
          'requests/s': Math.round(perSecond(variant.name)),
          'of bare': perSecond(variant.name) / perSecond(baselineName),
          'CPU µs': costs.get(variant.name) ?? Number.NaN,
          ...Object.fromEntries(
            peers
              .filter(({ name }) => costs.has(name))
              .map(({ name, shortName: word }) => [
                `${word} / CPU`,
                (costs.get(name) ?? Number.NaN) / (costs.get(variant.name) ?? Number.NaN),
              ]),
          ),
          'p50 ms at 1000/s': quiet.p50,
          'p99 ms at 1000/s': quiet.p99,
          'p50 ms full': median(loads.map((load) => load.p50)),
          'p99 ms full': median(loads.map((load) => load.p99)),
          'not 2xx': loads.reduce((sum, load) => sum + load.failures, quiet.failures),
        })
      }
    }
    const stats = await (await fetch(`${upstream}/stats`)).json()
    report('edge', rows, {
      credentials,
      connections,
      rounds,
      seconds,
      pinned,
      upstream: stats,
      memory: memoryOf(fleet.member('gateway').pid),
      heap: await heapOf(fleet.adminUrl),
    })
  } finally {
    upstreamProcess.kill('SIGKILL')
    for (const peer of peers) peer.stop()
    await fleet.stop()
    if (profileTo !== undefined) report('edge-profile', summarizeCpuProfile(profileTo))
    await servers.stop()
  }
}

const optionOf = (options: readonly string[], name: string) => {
  const at = options.indexOf(name)
  return at < 0 ? undefined : options[at + 1]
}
