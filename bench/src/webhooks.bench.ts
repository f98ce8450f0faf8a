import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { summarizeCpuProfile } from './cpu-profile.ts'
import { memoryOf } from './edge/process-usage.ts'
import { median, report } from './report.ts'
import { measureClaim } from './webhooks/claim.ts'
import { type DeliveryFleet, startDeliveryFleet } from './webhooks/delivery-fleet.ts'
import { measureFairness } from './webhooks/fairness.ts'
import { measureLatency } from './webhooks/latency.ts'
import { type Cost, measureFanOut, measureThroughput } from './webhooks/throughput.ts'

/**
 * Webhooks, from the commit of an event to the receiver, all of it real: outbox, relay, broker, fan-out, HTTPS. The
 * delivery service, its receiver and its producers are processes of their own. Five parts, each of them under a minute:
 *
 * - `latency`: events committed at a fixed pace, with one replica of the relay and with two.
 * - `throughput`: processor time of a delivery, beside a bare undici loop that posts as much to the same receiver.
 * - `fan-out`: the same with all that comes before a delivery, from the commit on.
 * - `fairness`: the latency of healthy endpoints beside 50 others, which are well, or flap beside one that hangs with 100,000 due.
 * - `claim`: what it costs to claim where 900,000 of 1,000,000 belong to one dead endpoint.
 *
 * Options: the parts (default all), `--seconds n` of each pace (default 8), `--quick` for a tenth of everything,
 * `--profile` to say where the time of the delivery process goes in `throughput` and `fan-out`.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = Number(options[options.indexOf('--seconds') + 1] ?? 8) || 8
  const scale = options.includes('--quick') ? 0.1 : 1
  const named = options.filter((option) => option in parts)
  for (const [name, part] of Object.entries(parts))
    if (named.length === 0 || named.includes(name))
      await part({ seconds, scale, profile: options.includes('--profile') })
}

interface BenchOptions {
  seconds: number
  scale: number
  profile: boolean
}

const parts: Record<string, (size: BenchOptions) => Promise<void>> = {
  latency: ({ seconds }) =>
    withDeliveryFleet({}, async (world) => {
      const workspaces: string[] = []
      for (let index = 0; index < 20; index += 1) workspaces.push((await world.subscribe('/ok')).workspaceId)
      const rows: Record<string, string | number>[] = []
      await measureLatency(world, { workspaces, perSecond: 100, seconds: 2 }) // warms code and connections
      for (const relays of [1, 2]) {
        if (relays === 2) await world.addProducer()
        for (const perSecond of [7, 50, 200])
          rows.push({
            relays,
            'events/s': perSecond,
            ...(await measureLatency(world, { workspaces, perSecond, seconds })),
          })
      }
      report('webhooks-latency', rows, { memory: memoryOf(world.delivery.pid) })
    }),

  throughput: ({ scale, profile }) =>
    withProfile('throughput', profile, async (world) => {
      const idle = memoryOf(world.delivery.pid)
      const costs = await measureThroughput(world, { endpoints: 50, each: 400 * scale, rounds: 3 })
      const cpu = (what: string) => costs.filter((cost: Cost) => cost.what === what).map((cost) => cost['CPU µs'])
      const bare = cpu('bare undici loop')
      // Each with its neighbour in time: what else runs on the machine then makes both dearer.
      const ratios = cpu('delivered from a backlog').map((ours, round) => (bare[round] ?? Number.NaN) / ours)
      report(
        'webhooks-throughput',
        costs.map((cost) => ({ ...cost })),
        {
          'of bare, per core': median(ratios),
          'lowest and highest': [Math.min(...ratios), Math.max(...ratios)],
          memory: { idle, after: memoryOf(world.delivery.pid) },
        },
      )
    }),

  'fan-out': ({ scale, profile }) =>
    withProfile('fan-out', profile, async (world) => {
      const costs = [
        await measureFanOut(world, { events: 2_000 * scale, subscriptions: 1 }),
        await measureFanOut(world, { events: 1_000 * scale, subscriptions: 10 }),
      ]
      report(
        'webhooks-fan-out',
        costs.map((cost) => ({ ...cost })),
        { memory: memoryOf(world.delivery.pid) },
      )
    }),

  fairness: ({ seconds, scale, profile }) =>
    withProfile(
      'fairness',
      profile,
      async (world) => {
        const size = { backlog: 100_000 * scale, flapping: 50, perSecond: 50, seconds: seconds / 2, rounds: 4 }
        const rows = await measureFairness(world, size)
        const p95 = (what: string) =>
          median(rows.filter((row) => row.what.startsWith(what)).map((row) => row['p95 ms']))
        report(
          'webhooks-fairness',
          rows.map((row) => ({ ...row })),
          {
            'p95 beside the unwell over p95 beside the well':
              p95('beside one that hangs') / p95('beside those that are well'),
            memory: memoryOf(world.delivery.pid),
          },
        )
      },
      { HOLD_SCHEDULE_SECONDS: '1', RETRY_SCHEDULE_SECONDS: '1,1,1,1,1,1,1,1,1' },
    ),

  claim: ({ scale }) =>
    withDeliveryFleet({}, async (world) => {
      // Nobody else claims meanwhile.
      await world.delivery.stop()
      const size = { rows: 1_000_000 * scale, ofTheDead: 900_000 * scale, endpoints: 1_000 }
      report('webhooks-claim', await measureClaim(world, size))
    }),
}

/** With what the delivery process did in its time, where that is asked for. */
async function withProfile(
  part: string,
  profile: boolean,
  work: (world: DeliveryFleet) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  if (!profile) return withDeliveryFleet(env, work)
  const directory = mkdtempSync(join(tmpdir(), 'wp-profile-'))
  await withDeliveryFleet({ ...env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}` }, work)
  report(`webhooks-${part}-profile`, summarizeCpuProfile(directory, 40))
}

async function withDeliveryFleet(
  env: Record<string, string>,
  work: (world: DeliveryFleet) => Promise<void>,
): Promise<void> {
  const world = await startDeliveryFleet(env)
  try {
    await work(world)
  } finally {
    await world.stop()
  }
}
