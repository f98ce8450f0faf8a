import { setTimeout as pause } from 'node:timers/promises'
import { type Bus, connectBus } from '@wp/events'
import { noLog } from '@wp/runtime'
import { eventually, startNats, startPostgres, startTestFleet } from '@wp/testkit'
import { createRandom, type Random } from '../random.ts'
import { formatTable } from '../report.ts'
import { type CheckedRecords, checkRecords, isComplete } from './check-records.ts'
import { type KilledFleet, killAndRestart, planKills } from './kills.ts'
import { watchProgress } from './progress.ts'
import { publishRecords } from './publish-records.ts'
import { type Content, type Sink, startSinks } from './sinks.ts'

export interface DestinationOptions {
  seed: number
  /** The number of records of each content. */
  records: number
  /** The types of destinations; none means all. */
  sink: readonly string[]
  /** Kills of each process and server while the records of one content are written. */
  rounds: number
}

interface KilledPlatform extends KilledFleet {
  bus: Bus
}

/** The result of one event destination. */
interface Row extends CheckedRecords {
  content: Content
  sink: string
  kills: number
  skipped: number
  seconds: number
  longestPauseSeconds: number
}

const contents: readonly Content[] = ['audit', 'events']
const print = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Writes records to event destinations of every type while processes and servers are killed, and checks what arrived.
 *
 * @returns false if a record is missing or out of order
 */
export async function runDestinations({ seed, sink: names, ...options }: DestinationOptions): Promise<boolean> {
  process.setMaxListeners(30)
  const random = createRandom(seed)
  print(`seed ${seed}, ${options.records} records of each content, everything killed ${options.rounds} times`)
  const stops: (() => Promise<void>)[] = []
  try {
    // With a generator of its own, because the order of its decisions depends on the time.
    const sinks = await startSinks(names, createRandom(seed + 1), print)
    stops.push(sinks.stop)
    const platform = await startPlatform(sinks.caFile, stops)
    const rows: Row[] = []
    for (const content of contents) rows.push(...(await runContent(platform, sinks.all, content, options, random)))
    print(`\n${formatRows(rows)}`)
    return rows.every(isComplete)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function startPlatform(caFile: string, stops: (() => Promise<void>)[]): Promise<KilledPlatform> {
  const [postgres, nats] = await Promise.all([startPostgres({ log: print }), startNats({ log: print })])
  stops.push(postgres.stop, nats.stop)
  const shard = `lab${process.pid}`
  process.env.WP_TEST_NATS = nats.url
  process.env.WP_TEST_RUN = shard
  const fleet = await startTestFleet({
    processes: 'all',
    services: ['auth', 'audit', 'webhook-delivery'],
    shard,
    natsUrl: nats.url,
    postgresUrl: postgres.url,
    outbound: { OUTBOUND_CA_FILE: caFile },
    // Leases and the pauses between passes are those of production: they decide for how long writing pauses.
    env: { 'webhook-delivery': { RETRY_SCHEDULE_SECONDS: Array.from({ length: 40 }, () => '0.5').join() } },
  })
  stops.push(fleet.stop)
  const bus = await connectBus({ servers: nats.url, shard, name: 'lab', log: noLog })
  stops.push(() => bus.close())
  await eventually(() => bus.isConnected)
  return { fleet, nats, postgres, bus }
}

async function runContent(
  platform: KilledPlatform,
  sinks: readonly Sink[],
  content: Content,
  { records, rounds }: Pick<DestinationOptions, 'records' | 'rounds'>,
  random: Random,
): Promise<Row[]> {
  const created = await createDestinations(platform, sinks, content)
  const startedAt = performance.now()
  const watch = watchProgress(platform.fleet, [...created.keys()])
  const kills = planKills(rounds, random)
  const published = new Set<string>()
  for (const target of kills) {
    const { workspaceId } = platform.fleet.owner
    const publishing = publishRecords(platform.bus, workspaceId, content, Math.ceil(records / kills.length))
    await pause(random.between(0, 2_000))
    print(`${content}: ${target} killed`)
    await killAndRestart(platform, target, random)
    for (const mark of await publishing) published.add(mark)
  }
  print(`${content}: ${published.size} published`)
  const progress = await watch.untilSettled(published.size)
  const rows: Row[] = []
  for (const [destinationId, { sink, start }] of created) {
    const { skipped = 0, changedAt = 0, longestPauseMs = 0 } = progress.get(destinationId) ?? {}
    rows.push({
      content,
      sink: sink.name,
      kills: kills.length,
      skipped,
      seconds: (changedAt - startedAt) / 1000,
      longestPauseSeconds: longestPauseMs / 1000,
      ...checkRecords(await sink.read(content), start, published),
    })
  }
  return rows
}

async function createDestinations({ fleet }: KilledPlatform, sinks: readonly Sink[], content: Content) {
  const as = await fleet.token(fleet.owner)
  const created = new Map<string, { sink: Sink; start: number }>()
  for (const sink of sinks) {
    const body = { name: `${content} ${sink.name}`, content, config: sink.config(content) }
    const response = await fleet.request('POST', '/v1/webhooks/destinations', { as, body })
    if (response.status !== 201) throw new Error(`failed to create: ${JSON.stringify(response.body)}`)
    const { destination_id: destinationId, position: start } = response.body.data
    created.set(destinationId, { sink, start })
  }
  return created
}

const formatRows = (rows: readonly Row[]): string =>
  formatTable(
    [
      ...['content', 'destination', 'records', 'gaps', 'lost', 'out of order', 'contradictory', 'skipped', 'repeated'],
      ...['kills', 'seconds', 'longest pause'],
    ],
    rows.map((row) => [
      ...[row.content, row.sink, row.records, row.gaps, row.lost, row.outOfOrder, row.contradictions, row.skipped],
      ...[row.repeated, row.kills, row.seconds.toFixed(0), `${row.longestPauseSeconds.toFixed(1)} s`],
    ]),
  )
