import { type Latency, measureLatency } from './latency.ts'
import type { Subscribed, World } from './world.ts'

/** Healthy endpoints by themselves, and beside some that are not. */
export async function measureFairness(
  world: World,
  { backlog, flapping, perSecond, seconds }: { backlog: number; flapping: number; perSecond: number; seconds: number },
): Promise<({ what: string; due: number; 'hangs seen': number; 'flaps seen': number } & Latency)[]> {
  const healthy: Subscribed[] = []
  for (let index = 0; index < 20; index += 1) healthy.push(await world.subscribe('/ok'))
  const hanging = await world.subscribe('/hang')
  const flaps: Subscribed[] = []
  for (let index = 0; index < flapping; index += 1) flaps.push(await world.subscribe(`/flap/${index}`))
  const pace = { workspaces: healthy.map(({ workspaceId }) => workspaceId), perSecond, seconds }
  const seen = (kind: string) => world.receiver.ask<number>('count', kind)
  const rows: Awaited<ReturnType<typeof measureFairness>> = []
  const measure = async (what: string) => {
    const [hangs, flapped] = [await seen('hang'), await seen('flap')]
    const latency = await measureLatency(world, pace)
    const {
      rows: [left],
    } = await world.sql.query<{ due: number }>(`SELECT count(*)::int AS due FROM deliveries WHERE status = 'pending'`)
    rows.push({
      what,
      due: left?.due ?? 0,
      'hangs seen': (await seen('hang')) - hangs,
      'flaps seen': (await seen('flap')) - flapped,
      ...latency,
    })
  }
  await measureLatency(world, { ...pace, seconds: 2 }) // warms code and connections
  await measure('healthy alone')
  await world.addBacklog([hanging], backlog)
  await world.addBacklog(flaps, 2_000)
  await world.enable([hanging, ...flaps])
  await measure('beside one that hangs and those that flap')
  await world.sql.query('UPDATE endpoints SET enabled = false WHERE webhook_id = ANY ($1)', [
    [hanging, ...flaps].map(({ id }) => id),
  ])
  await measure('healthy alone again')
  return rows
}
