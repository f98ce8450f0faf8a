import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, type Nats, type Postgres, type Received, respond, startNats, startPostgres } from '@wp/testkit'
import { copyOf, createEmitter, kinds, type Replicas, twoReplicas } from './fixture/chaos.ts'
import { openWorld, type World } from './fixture/world.ts'

/** `WP_CHAOS=long`: every event to all twenty, and outages as long as they are in earnest. */
const isLong = process.env.WP_CHAOS === 'long'
const events = 2_000
const endpoints = 20
const brokerAwayMs = isLong ? 20_000 : 3_000
const storageAgeMs = isLong ? 60_000 : 4_000
const databaseAwayMs = 1_500

let world: World
let nats: Nats
let postgres: Postgres
let replicas: Replicas
let emitter: ReturnType<typeof createEmitter>
beforeAll(async () => {
  ;[nats, postgres] = await Promise.all([startNats(), startPostgres()])
  world = await openWorld({ natsUrl: nats.url, postgresUrl: postgres.url })
  replicas = await twoReplicas(world)
  emitter = createEmitter(world)
}, 60_000)
afterAll(async () => {
  await emitter?.close()
  await replicas?.stop()
  await world?.stop()
  await Promise.all([nats?.stop(), postgres?.stop()])
})

const began = performance.now()
const say = (line: string) => process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s: ${line}\n`)

interface Owed {
  eventId: string
  webhookId: string
  path: string
}

/** What must arrive, by the databases: each committed event, with each subscription that was there and asked for it. */
async function whatIsOwed(): Promise<Owed[]> {
  const made = await world.query<{ id: string; kind: string; at: Date }>(
    'solutions',
    'SELECT id, kind, occurred_at AS at FROM platform.outbox WHERE kind = ANY ($1)',
    [kinds],
  )
  const subscribed = await world.query<{ webhookId: string; endpoint: string; events: string[]; at: Date }>(
    'webhook-delivery',
    `SELECT webhook_id AS "webhookId", endpoint, events, created_at AS at FROM subscriptions`,
  )
  return made.flatMap((event) =>
    subscribed
      .filter(({ events: asked, at }) => at <= event.at && (asked.includes('*') || asked.includes(event.kind)))
      .map(({ webhookId, endpoint }) => ({ eventId: event.id, webhookId, path: new URL(endpoint).pathname })),
  )
}

const keyOf = (path: string, eventId: unknown) => `${path} ${eventId}`
const arrivals = () =>
  Map.groupBy(world.receiver.received, (each) => keyOf(each.path, each.headers['x-webhook-event-id']))

const isSame = ([first, ...more]: readonly Received[]) =>
  more.every(
    ({ headers, body }) =>
      headers['x-webhook-request-id'] === first?.headers['x-webhook-request-id'] && first?.body.equals(body),
  )

const unpublished = async () =>
  (await world.query('solutions', 'SELECT FROM platform.outbox WHERE published_at IS NULL')).length

const stored = async () =>
  (await Promise.all(kinds.map((kind) => world.onStream('solutions', kind)))).reduce((a, b) => a + b, 0)

/** So that what is lost can be seen before it is noticed. */
async function withRelayHalted<T>(work: () => Promise<T>): Promise<T> {
  const pid = world.fleet.member('solutions').pid ?? 0
  process.kill(pid, 'SIGSTOP')
  return work().finally(() => process.kill(pid, 'SIGCONT'))
}

describe('webhooks while everything that can fail does', () => {
  it('arrive, every event at every subscription that was there, under one request id with one body', async () => {
    world.receiver.behave(respond(200, { delayMs: 20 }))
    for (let index = 0; index < endpoints; index += 1)
      await world.subscribe(`/endpoint-${index}`, isLong ? ['*'] : [kinds[index % kinds.length] ?? '*'])

    say('workers are killed at random from now on')
    replicas.beginKilling()
    await emitter.emit(events * 0.2, 1_000)

    say('PostgreSQL restarts')
    const duringRestart = emitter.emit(events * 0.2, 1_000)
    await pass(500)
    await postgres.kill('SIGINT')
    await pass(databaseAwayMs)
    await postgres.restart()
    await duringRestart

    say(`NATS stops for ${brokerAwayMs / 1000} s`)
    await nats.kill('SIGTERM')
    await emitter.emit(events * 0.2, brokerAwayMs)
    expect(await unpublished()).toBeGreaterThan(0)
    await nats.restart()
    await eventually(async () => (await unpublished()) === 0, { timeoutMs: 20_000 })

    say(`NATS is killed and has its storage as it was ${storageAgeMs / 1000} s before`)
    const copy = await copyOf(nats)
    await emitter.emit(events * 0.1, storageAgeMs)
    await replicas.endKilling()
    replicas.halt()
    await emitter.emit(events * 0.1, 500)
    await eventually(async () => (await unpublished()) === 0)
    const before = await stored()
    const after = await withRelayHalted(async () => {
      await nats.kill('SIGKILL')
      copy.bringBack()
      await nats.restart()
      return stored()
    })
    say(`of ${before} events it has ${after}`)
    expect(after).toBeLessThanOrEqual(before - events * 0.1)
    replicas.goOn()
    await world.subscribe('/late-1', ['*'])
    await eventually(async () => (await stored()) >= before, {
      timeoutMs: 30_000,
      what: 'all of it on the broker again',
    })

    say('NATS loses its storage while fan-out is paused')
    await replicas.stop()
    await emitter.emit(events * 0.1, 500)
    await eventually(async () => (await unpublished()) === 0)
    await nats.kill('SIGTERM')
    await nats.restart({ wipe: true })
    await replicas.start()
    await world.subscribe('/late-2', ['*'])
    // What a killed worker had taken comes again after 30 s, which the short variant spares itself here.
    if (isLong) replicas.beginKilling()
    await emitter.emit(events * 0.1, 2_000)
    await replicas.endKilling()

    const owed = await whatIsOwed()
    const count = world.receiver.received.length
    say(`all is said, ${owed.length} deliveries are owed, ${count} requests have come`)
    await eventually(
      () => {
        const came = arrivals()
        return owed.every(({ path, eventId }) => came.has(keyOf(path, eventId)))
      },
      { timeoutMs: 180_000, everyMs: 250, what: 'every delivery' },
    )
    await eventually(
      async () =>
        (await world.query('webhook-delivery', `SELECT FROM deliveries WHERE status = 'pending'`)).length === 0,
      { timeoutMs: 60_000, what: 'the end of every delivery' },
    )

    const came = arrivals()
    const requests = world.receiver.received.length
    say(
      `${owed.length} deliveries of ${events} events, ${replicas.kills} kills, ${requests} requests, ` +
        `${requests - came.size} duplicates (${((100 * (requests - came.size)) / owed.length).toFixed(2)} %)`,
    )
    const expected = new Set(owed.map(({ path, eventId }) => keyOf(path, eventId)))
    expect([...came.keys()].filter((key) => !expected.has(key))).toEqual([])
    expect([...came.values()].filter((all) => !isSame(all))).toEqual([])
    expect(new Set(owed.map(({ eventId }) => eventId)).size).toBeGreaterThanOrEqual(events)
    expect(await world.query('webhook-delivery', 'SELECT FROM platform.dead_events')).toEqual([])
    for (const late of ['/late-1', '/late-2']) {
      const own = owed.filter(({ path }) => path === late).length
      say(`${late} was owed ${own} of ${events} events`)
      expect(own).toBeGreaterThan(0)
      expect(own).toBeLessThan(events * 0.3)
    }
  }, 400_000)
})
