import { startNats, startTestServers } from '@wp/testkit'
import { setRateLimits, startEdgeFleet } from './edge/edge-fleet.ts'
import { numericOption, optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'
import { createRevocableCredentials } from './revocation/credentials.ts'
import { cacheSeconds, scenarios, staleSeconds } from './revocation/scenarios.ts'

/**
 * Measures the time from the response to a DELETE request to the last admission of the revoked credential by any of
 * three gateway processes, for API keys and sessions. All gateways have every credential in their caches. The scenarios
 * are: no failure, a broker restart in the middle, no broker, auth stopped after the last DELETE request, both, changes
 * that auth commits without a message, and a gateway connected to another broker. Where a part is stopped or
 * disconnected, all credentials are revoked at once and each is sent to each gateway four times per second.
 *
 * Options: credentials of each kind per scenario (default 100), `--only text` for scenarios whose name contains the
 * text.
 */
export async function run(options: string[]): Promise<void> {
  const countPerKind = numericOption(options) ?? 100
  const only = optionValue(options, '--only') ?? ''
  const servers = await startTestServers()
  const island = await startNats()
  const { fleet, stop } = await startEdgeFleet({ LOG_LEVEL: 'fatal', IDENTITY_STALE_SECONDS: String(staleSeconds) })
  try {
    await setRateLimits(fleet)
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    const owner = await fleet.userToken(fleet.owner.ownerId)
    const rows: Record<string, string | number>[] = []
    for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
      const credentials = await createRevocableCredentials(fleet, owner, countPerKind)
      const isolated = { NATS_URL: island.url }
      const times = await scenario.run({ fleet, nats: servers.nats, edges, isolated, owner }, credentials)
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
    await Promise.all([servers.stop(), island.stop()])
  }
}

function summarize(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  return { revoked: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) }
}
