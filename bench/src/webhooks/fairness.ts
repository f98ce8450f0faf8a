import { type Latency, measureLatency } from './latency.ts'
import type { Subscribed, World } from './world.ts'

export interface Fairness extends Latency {
  what: string
  due: number
  'hangs seen': number
  'flaps seen': number
}

/**
 * Healthy endpoints by themselves, and beside some that are not, in turn: one that hangs and has a long backlog, and some
 * that are well for a second and fail for the next, with events of their own meanwhile.
 */
export async function measureFairness(
  world: World,
  {
    backlog,
    flapping,
    perSecond,
    seconds,
    rounds,
  }: { backlog: number; flapping: number; perSecond: number; seconds: number; rounds: number },
): Promise<Fairness[]> {
  const healthy = await subscribe(world, 20, () => '/ok')
  const unwell = [
    ...(await subscribe(world, 1, () => '/hang')),
    ...(await subscribe(world, flapping, (index) => `/flap/${index}`)),
  ]
  await world.addProducer()
  const pace = { workspaces: workspacesOf(healthy), perSecond, seconds }
  const rows: Fairness[] = []
  const measure = async (what: string) => {
    const [hangs, flapped] = [await seen(world, 'hang'), await seen(world, 'flap')]
    const latency = await measureLatency(world, pace)
    rows.push({
      what,
      due: await due(world),
      'hangs seen': (await seen(world, 'hang')) - hangs,
      'flaps seen': (await seen(world, 'flap')) - flapped,
      ...latency,
    })
  }
  await measureLatency(world, { ...pace, seconds: 2 }) // warms code and connections
  await world.addBacklog(unwell.slice(0, 1), backlog)
  await world.addBacklog(unwell.slice(1), 20)
  for (let round = 0; round < rounds; round += 1) {
    await disable(world, unwell)
    await measure('healthy alone')
    await world.enable(unwell)
    const theirs = { workspaces: workspacesOf(unwell.slice(1)), perSecond, count: perSecond * seconds }
    const more = world.producers[1]?.ask('commit', theirs)
    await measure('beside one that hangs and those that flap')
    await more
  }
  return rows
}

async function subscribe(world: World, count: number, path: (index: number) => string): Promise<Subscribed[]> {
  const webhooks: Subscribed[] = []
  for (let index = 0; index < count; index += 1) webhooks.push(await world.subscribe(path(index)))
  return webhooks
}

const workspacesOf = (webhooks: readonly Subscribed[]) => webhooks.map(({ workspaceId }) => workspaceId)

const seen = (world: World, kind: string) => world.receiver.ask<number>('count', kind)

async function due(world: World): Promise<number> {
  const { rows } = await world.sql.query<{ due: number }>(
    `SELECT count(*)::int AS due FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now()`,
  )
  return rows[0]?.due ?? 0
}

/** And what of theirs is under way ends before anything is measured. */
async function disable(world: World, webhooks: readonly Subscribed[]): Promise<void> {
  await world.sql.query('UPDATE endpoints SET enabled = false WHERE webhook_id = ANY ($1)', [
    webhooks.map(({ id }) => id),
  ])
  await new Promise((resolve) => setTimeout(resolve, 500))
}
