import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@wp/database'
import { eventually, freePort, startNats, startPostgres, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { type Peer, startPeers } from './edge/peers.ts'
import { start } from './edge/start.ts'
import { closedLoop, type Load, openLoop } from './load.ts'
import { whereTimeWent } from './profile.ts'
import { median, report } from './report.ts'

const connections = 32
const rounds = 3
/** The yardstick. */
const bare = 'bare http-proxy-middleware'

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
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  process.env.WP_TEST_POSTGRES = postgres.url
  process.env.WP_TEST_NATS = nats.url
  process.env.WP_TEST_RUN = `bench${process.pid}`
  const upstreamPort = await freePort()
  const upstream = `http://127.0.0.1:${upstreamPort}`
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth'],
    env: { gateway: { UPSTREAM: upstream, LOG_LEVEL: 'error', ...profiling } },
  })
  const upstreamProcess = start('upstream.ts', {
    PORT: String(upstreamPort),
    ASSERTION_KEYS_FILE: fleet.env('auth').ASSERTION_KEYS_FILE ?? '',
  })
  let peers: Peer[] = []
  try {
    await eventually(() => fetch(`${upstream}/stats`))
    peers = await startPeers(upstream)
    const proxies = [fleet.member('gateway').pid, ...peers.map(({ pid }) => pid)]
    const pinned = isPinned && proxies.every((pid) => pinTo(0, pid))
    const { keys, tokens } = await mint(fleet, credentials)
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
        .filter(({ name }) => only === undefined || name.includes(only) || name === bare)
        .map((variant) => ({ ...variant, requests: requests(variant.headers, method) }))
      for (const variant of prepared) await closedLoop({ ...variant, connections, seconds: 3 }) // warms code and caches
      const results = new Map<string, Load[]>()
      const costs = new Map<string, number>()
      for (let round = 0; round < rounds; round += 1)
        for (const variant of prepared) {
          const before = cpuMicroseconds(variant.pid)
          const load = await closedLoop({ ...variant, connections, seconds })
          const cost = (cpuMicroseconds(variant.pid) - before) / load.requests
          costs.set(variant.name, Math.min(cost, costs.get(variant.name) ?? Number.POSITIVE_INFINITY))
          results.set(variant.name, [...(results.get(variant.name) ?? []), load])
        }
      const perSecond = (name: string) => median((results.get(name) ?? []).map((load) => load.perSecond))
      for (const variant of prepared) {
        const loads = results.get(variant.name) ?? []
        const quiet = await openLoop({ ...variant, connections, seconds: 3, rate: 1000 })
        rows.push({
          method,
          through: variant.name,
          'requests/s': Math.round(perSecond(variant.name)),
          'of bare': perSecond(variant.name) / perSecond(bare),
          'CPU µs': costs.get(variant.name) ?? Number.NaN,
          ...Object.fromEntries(
            peers.map(({ name, word }) => [
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
    if (profileTo !== undefined) report('edge-profile', whereTimeWent(profileTo))
    await Promise.all([postgres.stop(), nats.stop()])
  }
}

const optionOf = (options: readonly string[], name: string) => {
  const at = options.indexOf(name)
  return at < 0 ? undefined : options[at + 1]
}

/** One core for the proxies, the other for everything else. @returns false on a machine that has no `taskset` */
const pinTo = (core: number, pid: number | undefined): boolean =>
  spawnSync('taskset', ['-acp', String(core), String(pid)]).status === 0

/** What a process has used of the processor so far: less noisy than time where others share the machine. */
function cpuMicroseconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return ticks * 10_000
}

function memoryOf(pid: number | undefined): string {
  const ps = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)])
  return `${Math.round(Number(String(ps.stdout).trim()) / 1024)} MiB`
}

/** What of the edge's heap is in use, as it says itself. */
async function heapOf(adminUrl: string): Promise<string> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const bytes = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1]
  return `${Math.round(Number(bytes) / 1_048_576)} MiB`
}

/** 10,000 keys and 10,000 tokens of one workspace, whose limits are lifted. */
async function mint(fleet: TestFleet, credentials: number): Promise<{ keys: string[]; tokens: string[] }> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = 1000000000')
  const prefix = fleet.owner.apiKey.slice(0, fleet.owner.apiKey.lastIndexOf('.') + 1)
  const keys = Array.from({ length: credentials }, () => prefix + randomUUID())
  const ids = keys.map(() => newId('akey'))
  const hashes = keys.map((key) => createHash('sha256').update(key).digest('hex'))
  await database.query(
    `INSERT INTO api_keys (key_id, workspace_id, shard, location, scopes, last4, created_by, created_by_type)
     SELECT made.id, one.workspace_id, one.shard, one.location, one.scopes, one.last4, one.created_by, one.created_by_type
     FROM unnest($1::text[]) AS made(id), (SELECT * FROM api_keys WHERE workspace_id = $2 LIMIT 1) AS one`,
    [ids, fleet.owner.workspaceId],
  )
  await database.query(
    `INSERT INTO api_key_secrets (hash, key_id, workspace_id)
     SELECT made.hash, made.id, $3 FROM unnest($1::text[], $2::text[]) AS made(hash, id)`,
    [hashes, ids, fleet.owner.workspaceId],
  )
  await database.end()
  return { keys: keys.map((key) => `x-api-key: ${key}`), tokens: await mintTokens(fleet, credentials) }
}

async function mintTokens(fleet: TestFleet, credentials: number): Promise<string[]> {
  const tokens: string[] = []
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (tokens.length < credentials) tokens.push(`authorization: Bearer ${await fleet.token(fleet.owner)}`)
    }),
  )
  return tokens.slice(0, credentials)
}
