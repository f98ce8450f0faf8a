import { report } from './harness/report.ts'
import { median } from './harness/statistics.ts'
import { chosenEntries, type NameOf } from './names.ts'
import { withDeliveryFleet } from './webhooks/delivery-fleet.ts'
import { measureFairness, measureRates } from './webhooks/latency.ts'
import { measureFanOut, measureThroughput } from './webhooks/throughput.ts'

/** Commits wait for the disk, as in production, if `isDurable`. */
type PartOptions = { seconds: number; scale: number; isDurable: boolean }

/** The parts. Each has a fleet of its own; the delivery service, the receiver and the producers are processes. */
const parts: Readonly<Record<NameOf<'webhooks'>, (options: PartOptions) => Promise<void>>> = {
  latency: ({ seconds, isDurable }) =>
    withDeliveryFleet({ isDurable }, async (fleet) =>
      report('webhooks-latency', await measureRates(fleet, [7, 50, 200, 500], seconds)),
    ),

  throughput: ({ scale, isDurable }) =>
    withDeliveryFleet({ isDurable }, async (fleet) => {
      const { baseline, backlog } = await measureThroughput(fleet, { endpoints: 50, each: 400 * scale, rounds: 3 })
      // compared per round: other load on the machine affects both measurements of a round
      const ratios = backlog.map((cost, round) => (baseline[round]?.['CPU µs'] ?? Number.NaN) / cost['CPU µs'])
      const rows = backlog.flatMap((cost, round) => [
        { sender: 'undici loop', ...baseline[round] },
        { sender: 'delivery service', ...cost },
      ])
      report('webhooks-throughput', rows, { 'deliveries per core of the undici loop': median(ratios), ratios })
    }),

  'fan-out': ({ scale, isDurable }) =>
    withDeliveryFleet({ isDurable }, async (fleet) => {
      await measureFanOut(fleet, { events: 4_000 * scale, subscriptions: 1, workspaces: 5 }) // warms up the code
      report('webhooks-fan-out', [
        await measureFanOut(fleet, { events: 10_000 * scale, subscriptions: 1, workspaces: 5 }),
        await measureFanOut(fleet, { events: 10_000 * scale, subscriptions: 1, workspaces: 500 }),
        await measureFanOut(fleet, { events: 1_000 * scale, subscriptions: 10, workspaces: 5 }),
      ])
    }),

  fairness: ({ seconds, scale, isDurable }) =>
    withDeliveryFleet({ isDurable, settings: { HOLD_SCHEDULE_SECONDS: '1' } }, async (fleet) => {
      const size = { backlog: 100_000 * scale, perSecond: 50, seconds: seconds / 2, rounds: 4 }
      const { alone, beside } = await measureFairness(fleet, size)
      const p95Of = (rows: typeof alone) => median(rows.map((row) => row['p95 ms']))
      const rows = beside.flatMap((row, round) => [
        { 'dead endpoint': 'no', ...alone[round] },
        { 'dead endpoint': 'yes', ...row },
      ])
      report('webhooks-fairness', rows, { 'p95 beside the dead endpoint / p95 alone': p95Of(beside) / p95Of(alone) })
    }),
}

/** Measures webhooks from the commit of an event to the receiver, through outbox, relay, broker, fan-out and HTTPS. */
export async function run(
  { seconds, quick, 'in-memory': inMemory }: { seconds: number; quick: boolean; 'in-memory': boolean },
  chosen: readonly string[],
): Promise<void> {
  const options = { seconds, scale: quick ? 0.1 : 1, isDurable: !inMemory }
  for (const [, measurePart] of chosenEntries(parts, chosen)) await measurePart(options)
}
