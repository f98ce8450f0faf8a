import type { Nats, TestFleet } from '@wp/testkit'
import { startTestServers } from '@wp/testkit'
import { setRateLimits, startEdgeFleet } from './edge/edge-fleet.ts'
import { numericOption, optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'
import { type CredentialMonitor, monitorCredential } from './revocation/credential-monitor.ts'
import { createRevocableCredentials, mapConcurrently, type RevocableCredential } from './revocation/credentials.ts'

const path = '/v1/data/sources'
const cacheSeconds = 10
/** Less than the default of 60, so that the benchmark takes less time. */
const staleSeconds = 5

interface RevocationBench {
  fleet: TestFleet
  nats: Nats
  edges: string[]
  /** Access token of a user who may revoke keys and their own sessions. */
  owner: string
}

interface Scenario {
  name: string
  /** Maximum time from the response to the DELETE request to the last admission. */
  boundSeconds: number
  /** @returns for each credential the milliseconds from the response to the last admission */
  run(bench: RevocationBench, credentials: readonly RevocableCredential[]): Promise<number[]>
}

/**
 * Measures the time from the response to a DELETE request to the last admission of the revoked credential by any of three
 * gateway processes, for API keys and sessions. All gateways have every credential in their caches. The scenarios are: no
 * failure, a broker restart in the middle, no broker, and auth stopped after the last DELETE request. Where the broker or
 * auth is stopped, all credentials are revoked at once and each is sent to each gateway four times per second.
 *
 * Options: credentials of each kind per scenario (default 100), `--only text` for scenarios whose name contains the text.
 */
export async function run(options: string[]): Promise<void> {
  const countPerKind = numericOption(options) ?? 100
  const only = optionValue(options, '--only') ?? ''
  const servers = await startTestServers()
  const { fleet, stop } = await startEdgeFleet({ LOG_LEVEL: 'fatal', IDENTITY_STALE_SECONDS: String(staleSeconds) })
  try {
    await setRateLimits(fleet)
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    const owner = await fleet.userToken(fleet.owner.ownerId)
    const rows: Record<string, string | number>[] = []
    for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
      const credentials = await createRevocableCredentials(fleet, owner, countPerKind)
      const times = await scenario.run({ fleet, nats: servers.nats, edges, owner }, credentials)
      for (const kind of ['key', 'session'] as const)
        rows.push({
          scenario: scenario.name,
          kind,
          ...summarize(times.filter((_, index) => credentials[index]?.kind === kind)),
          bound: scenario.boundSeconds * 1000,
        })
    }
    report('revocation', rows, { edges: edges.length, cacheSeconds, staleSeconds })
  } finally {
    await stop()
    await servers.stop()
  }
}

const scenarios: readonly Scenario[] = [
  { name: 'no failure', boundSeconds: 1, run: (bench, credentials) => revokeSequentially(bench, credentials) },
  {
    name: 'broker restarted in the middle',
    boundSeconds: cacheSeconds,
    run: (bench, credentials) =>
      revokeSequentially(bench, credentials, async (revokedCount) => {
        if (revokedCount === credentials.length / 2) await bench.nats.restart()
      }),
  },
  {
    name: 'broker stopped',
    boundSeconds: cacheSeconds,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, { beforeFirst: () => bench.nats.kill() })
      await bench.nats.restart()
      return times
    },
  },
  {
    name: 'auth stopped',
    boundSeconds: 1,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, {
        afterLast: () => bench.fleet.member('auth').kill(),
      })
      await bench.fleet.restart('auth')
      return times
    },
  },
  {
    name: 'auth and broker stopped',
    boundSeconds: cacheSeconds + staleSeconds,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, {
        beforeFirst: () => bench.nats.kill(),
        afterLast: () => bench.fleet.member('auth').kill(),
      })
      await Promise.all([bench.nats.restart(), bench.fleet.restart('auth')])
      return times
    },
  },
]

/**
 * Revokes four credentials at a time. Each is sent to every gateway without pauses, from before its revocation until every
 * gateway has rejected it.
 */
async function revokeSequentially(
  bench: RevocationBench,
  credentials: readonly RevocableCredential[],
  afterEach: (revokedCount: number) => Promise<void> = async () => undefined,
): Promise<number[]> {
  let revokedCount = 0
  return await mapConcurrently(credentials, 4, async (credential) => {
    const monitor = monitorCredential(credential, { edges: bench.edges, path, intervalMs: 2 })
    await monitor.admittedByAll
    const answeredAt = await revoke(bench, credential, monitor)
    const time = await timeToLastAdmission(monitor, answeredAt)
    revokedCount += 1
    await afterEach(revokedCount)
    return time
  })
}

interface RevocationHooks {
  beforeFirst?: () => Promise<void>
  afterLast?: () => Promise<void>
}

/** Revokes all credentials as fast as possible after every gateway has admitted each of them. */
async function revokeConcurrently(
  bench: RevocationBench,
  credentials: readonly RevocableCredential[],
  { beforeFirst, afterLast }: RevocationHooks,
): Promise<number[]> {
  const monitored = credentials.map((credential) => ({
    credential,
    monitor: monitorCredential(credential, { edges: bench.edges, path, intervalMs: 250 }),
  }))
  await Promise.all(monitored.map(({ monitor }) => monitor.admittedByAll))
  await beforeFirst?.()
  const answerTimes = await mapConcurrently(monitored, 16, ({ credential, monitor }) =>
    revoke(bench, credential, monitor),
  )
  await afterLast?.()
  return await Promise.all(
    monitored.map(({ monitor }, index) => timeToLastAdmission(monitor, answerTimes[index] ?? Number.NaN)),
  )
}

/** @returns when the response arrived */
async function revoke(
  bench: RevocationBench,
  credential: RevocableCredential,
  monitor: CredentialMonitor,
): Promise<number> {
  const { status, body } = await bench.fleet.request('DELETE', credential.path, { as: bench.owner })
  const answeredAt = performance.now()
  if (status !== 200) throw new Error(`DELETE ${credential.path}: ${status} ${JSON.stringify(body)}`)
  monitor.expectRejection()
  return answeredAt
}

const timeToLastAdmission = async (monitor: CredentialMonitor, answeredAt: number): Promise<number> =>
  Math.max(0, (await monitor.lastAdmission) - answeredAt)

function summarize(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  return { revoked: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) }
}
