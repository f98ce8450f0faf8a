import { withEdgeFleet } from './edge/edge-fleet.ts'
import {
  cacheSeconds,
  createRevocableCredentials,
  revokeCredentials,
  scenarios,
  staleSeconds,
} from './edge/revoke-credentials.ts'
import { setRateLimits } from './harness/fleet.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns, percentiles } from './harness/statistics.ts'
import { chosenEntries } from './names.ts'

/**
 * Measures the time from the response to the request that revokes a credential to its last admission by any of three
 * gateway processes, for API keys, sessions, and members whom a directory removes. All gateways have every credential
 * in their caches.
 */
export async function run({ credentials: each }: { credentials: number }, chosen: readonly string[]): Promise<void> {
  const env = { LOG_LEVEL: 'fatal', IDENTITY_STALE_SECONDS: String(staleSeconds) }
  await withEdgeFleet(env, async (fleet, _upstream, { nats }) => {
    await setRateLimits(fleet)
    const edges = [fleet.baseUrl, (await fleet.addEdge()).baseUrl, (await fleet.addEdge()).baseUrl]
    const owner = await fleet.userToken(fleet.owner.ownerId)
    const rows: Row[] = []
    for (const [name, scenario] of chosenEntries(scenarios, chosen)) {
      const credentials = await createRevocableCredentials(fleet, owner, each)
      const times = await revokeCredentials({ fleet, nats, edges }, scenario, credentials)
      for (const kind of ['key', 'session', 'member'] as const) {
        const ofKind = times.filter((_, index) => credentials[index]?.kind === kind)
        const figures = { ...percentileColumns(percentiles(ofKind)), 'bound ms': scenario.boundSeconds * 1_000 }
        rows.push({ scenario: name, kind, revoked: ofKind.length, ...figures })
      }
    }
    report('revocation', rows, { edges: edges.length, cacheSeconds, staleSeconds })
  })
}
