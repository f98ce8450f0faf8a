import type { BenchSubscription, DeliveryFleet } from './delivery-fleet.ts'
import { type Latency, measureLatency } from './latency.ts'

export interface Fairness extends Latency {
  what: string
  countDue: number
  'hangs seen': number
  'flaps seen': number
}

/**
 * Healthy endpoints beside others that are as well, and beside the same when they are not, in turn: one that hangs and has
 * a long backlog, and some that are well for a second and fail for the next. As much happens in both, so that what differs
 * is how receivers behave.
 */
export async function measureFairness(
  world: DeliveryFleet,
  {
    backlog,
    flapping,
    perSecond,
    seconds,
    rounds,
  }: { backlog: number; flapping: number; perSecond: number; seconds: number; rounds: number },
): Promise<Fairness[]> {
  const healthy = await subscribe(world, 20, () => '/ok')
  const others = await subscribe(world, flapping, (index) => `/flap/${index}`)
  const hanging = await world.subscribe('/hang')
  await world.addProducer()
  const pace = { workspaces: workspacesOf(healthy), perSecond, seconds }
  const rows: Fairness[] = []
  const measure = async (what: string) => {
    const [hangs, flapped] = [await countReceived(world, 'hang'), await countReceived(world, 'flap')]
    const theirs = { workspaces: workspacesOf(others), perSecond, count: perSecond * seconds }
    const more = world.producers[1]?.call('commit', theirs)
    const latency = await measureLatency(world, pace)
    await more
    rows.push({
      what,
      countDue: await due(world),
      'hangs seen': (await countReceived(world, 'hang')) - hangs,
      'flaps seen': (await countReceived(world, 'flap')) - flapped,
      ...latency,
    })
  }
  await measureLatency(world, { ...pace, seconds: 2 }) // warms code and connections
  await world.addBacklog([hanging], backlog)
  for (let round = 0; round < rounds; round += 1) {
    await setReceiverHealth(world, hanging, true)
    await measure('beside those that are well')
    await setReceiverHealth(world, hanging, false)
    await measure('beside one that hangs and those that flap')
  }
  return rows
}

async function subscribe(
  world: DeliveryFleet,
  count: number,
  path: (index: number) => string,
): Promise<BenchSubscription[]> {
  const webhooks: BenchSubscription[] = []
  for (let index = 0; index < count; index += 1) webhooks.push(await world.subscribe(path(index)))
  return webhooks
}

const workspacesOf = (webhooks: readonly BenchSubscription[]) => webhooks.map(({ workspaceId }) => workspaceId)

const countReceived = (world: DeliveryFleet, kind: string) => world.receiver.call<number>('count', kind)

async function due(world: DeliveryFleet): Promise<number> {
  const { rows } = await world.sql.query<{ due: number }>(
    `SELECT count(*)::int AS due FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now()`,
  )
  return rows[0]?.due ?? 0
}

/** And what was under way before ends before anything is measured. */
async function setReceiverHealth(world: DeliveryFleet, hanging: BenchSubscription, well: boolean): Promise<void> {
  await world.receiver.call('setFlapping', !well)
  await world.sql.query('UPDATE endpoints SET enabled = $2 WHERE webhook_id = $1', [hanging.id, !well])
  if (!well) await world.enable([hanging])
  await new Promise((resolve) => setTimeout(resolve, 1_500))
}
