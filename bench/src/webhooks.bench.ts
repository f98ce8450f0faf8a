import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryOf } from './edge/process-usage.ts'
import { summarizeCpuProfile } from './harness/cpu-profile.ts'
import { optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import { median } from './harness/statistics.ts'
import { measureClaim } from './webhooks/claim.ts'
import { type DeliveryFleet, startDeliveryFleet } from './webhooks/delivery-fleet.ts'
import { measureFairness } from './webhooks/fairness.ts'
import { measureHanging } from './webhooks/hanging.ts'
import { measureLatency, measureLatencyAndCost } from './webhooks/latency.ts'
import { measureFanOut, measureThroughput } from './webhooks/throughput.ts'

/**
 * Measures webhooks from the commit of an event to the receiver, through outbox, relay, broker, fan-out and HTTPS. The
 * delivery service, the receiver and the producers are separate processes. Each part takes less than a minute:
 *
 * - `latency`: events committed at a fixed rate, with one replica of the relay and with two, and their processor time
 * - `throughput`: processor time per delivery, compared with an undici loop that posts the same to the same receiver
 * - `fan-out`: the same with everything before the delivery, from the commit on
 * - `fairness`: latency of 20 healthy endpoints next to 50 others, which are healthy or alternate between success and
 *   failure; in the second case another endpoint with 100,000 due deliveries never responds
 * - `hanging`: latency of an endpoint with five events a second, alone and while 2,000 events of another workspace go
 *   to an endpoint that never responds; the memory of delivery, database and broker
 * - `claim`: time to claim deliveries when 900,000 of 1,000,000 belong to one endpoint that never responds
 *
 * Options: the parts (default all), `--seconds n` at each rate (default 8), `--quick` for a tenth of all counts,
 * `--profile` to report the functions that use most of the delivery process's time in `throughput`, `fan-out` and
 * `fairness`.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = Number(optionValue(options, '--seconds') ?? 8)
  const scale = options.includes('--quick') ? 0.1 : 1
  const chosen = options.filter((option) => option in parts)
  for (const [name, measurePart] of Object.entries(parts))
    if (chosen.length === 0 || chosen.includes(name))
      await measurePart({ seconds, scale, profile: options.includes('--profile') })
}

interface BenchOptions {
  seconds: number
  /** Factor for all counts. */
  scale: number
  profile: boolean
}

const parts: Record<string, (options: BenchOptions) => Promise<void>> = {
  latency: ({ seconds }) =>
    withDeliveryFleet({}, async (fleet) => {
      const workspaces: string[] = []
      for (let index = 0; index < 20; index += 1) workspaces.push((await fleet.subscribe('/ok')).workspaceId)
      const rows: Record<string, string | number>[] = []
      await measureLatency(fleet, { workspaces, perSecond: 100, seconds: 2 }) // warms up code and connections
      for (const relays of [1, 2]) {
        if (relays === 2) await fleet.addProducer()
        for (const perSecond of [7, 50, 200, 500])
          rows.push({
            relays,
            'events/s': perSecond,
            ...(await measureLatencyAndCost(fleet, { workspaces, perSecond, seconds })),
          })
      }
      report('webhooks-latency', rows, { memory: memoryOf(fleet.delivery.pid) })
    }),

  throughput: ({ scale, profile }) =>
    withProfile('throughput', profile, async (fleet) => {
      const idle = memoryOf(fleet.delivery.pid)
      const costs = await measureThroughput(fleet, { endpoints: 50, each: 400 * scale, rounds: 3 })
      const cpuOf = (name: string) => costs.filter((cost) => cost.name === name).map((cost) => cost['CPU µs'])
      const baseline = cpuOf('undici loop')
      // compared per round: other load on the machine affects both measurements of a round
      const ratios = cpuOf('deliveries of a backlog').map((cpu, round) => (baseline[round] ?? Number.NaN) / cpu)
      report(
        'webhooks-throughput',
        costs.map((cost) => ({ ...cost })),
        {
          'deliveries / undici loop': median(ratios),
          'lowest and highest': [Math.min(...ratios), Math.max(...ratios)],
          memory: { idle, after: memoryOf(fleet.delivery.pid) },
        },
      )
    }),

  'fan-out': ({ scale, profile }) =>
    withProfile('fan-out', profile, async (fleet) => {
      await measureFanOut(fleet, { events: 4_000 * scale, subscriptions: 1, workspaces: 5 }) // warms up the code
      const costs = [
        await measureFanOut(fleet, { events: 10_000 * scale, subscriptions: 1, workspaces: 5 }),
        await measureFanOut(fleet, { events: 10_000 * scale, subscriptions: 1, workspaces: 500 }),
        await measureFanOut(fleet, { events: 1_000 * scale, subscriptions: 10, workspaces: 5 }),
      ]
      report(
        'webhooks-fan-out',
        costs.map((cost) => ({ ...cost })),
        { memory: memoryOf(fleet.delivery.pid) },
      )
    }),

  fairness: ({ seconds, scale, profile }) =>
    withProfile(
      'fairness',
      profile,
      async (fleet) => {
        const size = { backlog: 100_000 * scale, alternating: 50, perSecond: 50, seconds: seconds / 2, rounds: 4 }
        const rows = await measureFairness(fleet, size)
        const p95Of = (name: string) => median(rows.filter((row) => row.name === name).map((row) => row['p95 ms']))
        report(
          'webhooks-fairness',
          rows.map((row) => ({ ...row })),
          {
            'p95 next to failing / p95 next to healthy':
              p95Of('next to failing endpoints') / p95Of('next to healthy endpoints'),
            memory: memoryOf(fleet.delivery.pid),
          },
        )
      },
      { HOLD_SCHEDULE_SECONDS: '1', RETRY_SCHEDULE_SECONDS: '1,1,1,1,1,1,1,1,1' },
    ),

  hanging: ({ seconds }) =>
    withDeliveryFleet({}, async (fleet) => {
      const { rows, memory } = await measureHanging(fleet, { burst: 2_000, perSecond: 5, seconds: seconds * 3 })
      report(
        'webhooks-hanging',
        rows.map((row) => ({ ...row })),
        { memory },
      )
    }),

  claim: ({ scale }) =>
    withDeliveryFleet({}, async (fleet) => {
      // The service must not claim at the same time.
      await fleet.delivery.stop()
      const size = { rows: 1_000_000 * scale, unresponsiveRows: 900_000 * scale, endpoints: 1_000 }
      report('webhooks-claim', await measureClaim(fleet, size))
    }),
}

/** @param profile report the functions that use most of the delivery process's time */
async function withProfile(
  part: string,
  profile: boolean,
  work: (fleet: DeliveryFleet) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  if (!profile) return withDeliveryFleet(env, work)
  const directory = mkdtempSync(join(tmpdir(), 'wp-profile-'))
  await withDeliveryFleet({ ...env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}` }, work)
  report(`webhooks-${part}-profile`, summarizeCpuProfile(directory, 40))
}

async function withDeliveryFleet(
  env: Record<string, string>,
  work: (fleet: DeliveryFleet) => Promise<void>,
): Promise<void> {
  const fleet = await startDeliveryFleet(env)
  try {
    await work(fleet)
  } finally {
    await fleet.stop()
  }
}
