import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  eventually,
  type Nats,
  type Postgres,
  type ReceivedRequest,
  respond,
  startNats,
  startPostgres,
} from '@wp/testkit'
import {
  copyBrokerData,
  createEventEmitter,
  emittedKinds,
  type Replicas,
  startReplicas,
} from './fixture/delivery-replicas.ts'
import { type FaultFleet, startFaultFleet } from './fixture/fault-fleet.ts'

/** `WP_CHAOS=long`: every event goes to all twenty endpoints, and outages have realistic lengths. */
const isLong = process.env.WP_CHAOS === 'long'
const events = 2_000
const endpoints = 20
const brokerOutageMs = isLong ? 20_000 : 3_000
const storageAgeMs = isLong ? 60_000 : 4_000
const databaseOutageMs = 1_500

let faultFleet: FaultFleet
let nats: Nats
let postgres: Postgres
let replicas: Replicas
let emitter: ReturnType<typeof createEventEmitter>
beforeAll(async () => {
  ;[nats, postgres] = await Promise.all([startNats(), startPostgres()])
  faultFleet = await startFaultFleet({ natsUrl: nats.url, postgresUrl: postgres.url })
  replicas = await startReplicas(faultFleet)
  emitter = createEventEmitter(faultFleet)
}, 60_000)
afterAll(async () => {
  await emitter?.close()
  await replicas?.stop()
  await faultFleet?.stop()
  await Promise.all([nats?.stop(), postgres?.stop()])
})

const began = performance.now()
const print = (line: string) => process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s: ${line}\n`)

interface ExpectedDelivery {
  eventId: string
  webhookId: string
  path: string
}

/** Reads the expected deliveries from the databases: each committed event for each earlier subscription to its kind. */
async function readExpectedDeliveries(): Promise<ExpectedDelivery[]> {
  const made = await faultFleet.query<{ id: string; kind: string; at: Date }>(
    'solutions',
    'SELECT id, kind, occurred_at AS at FROM platform.outbox WHERE kind = ANY ($1)',
    [emittedKinds],
  )
  const subscribed = await faultFleet.query<{ webhookId: string; endpoint: string; events: string[]; at: Date }>(
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
  Map.groupBy(faultFleet.receiver.received, (each) => keyOf(each.path, each.headers['x-webhook-event-id']))

const isSame = ([first, ...more]: readonly ReceivedRequest[]) =>
  more.every(
    ({ headers, body }) =>
      headers['x-webhook-request-id'] === first?.headers['x-webhook-request-id'] && first?.body.equals(body),
  )

const countUnpublished = async () =>
  (await faultFleet.query('solutions', 'SELECT FROM platform.outbox WHERE published_at IS NULL')).length

const countStored = async () =>
  (await Promise.all(emittedKinds.map((kind) => faultFleet.countOnStream('solutions', kind)))).reduce(
    (a, b) => a + b,
    0,
  )

/** Suspends the relay, which would republish lost events before the test can count them. */
async function withRelaySuspended<T>(work: () => Promise<T>): Promise<T> {
  const pid = faultFleet.fleet.member('solutions').pid ?? 0
  process.kill(pid, 'SIGSTOP')
  return work().finally(() => process.kill(pid, 'SIGCONT'))
}

describe('webhooks during faults of workers, database and broker', () => {
  it('are delivered for every event and subscription, with one request id and one body', async () => {
    faultFleet.receiver.setResponder(respond(200, { delayMs: 20 }))
    for (let index = 0; index < endpoints; index += 1)
      await faultFleet.subscribe(
        `/endpoint-${index}`,
        isLong ? ['*'] : [emittedKinds[index % emittedKinds.length] ?? '*'],
      )

    print('killing workers at random times')
    replicas.startKilling()
    await emitter.emit(events * 0.2, 1_000)

    print('restarting PostgreSQL')
    const duringRestart = emitter.emit(events * 0.2, 1_000)
    await pass(500)
    await postgres.kill('SIGINT')
    await pass(databaseOutageMs)
    await postgres.restart()
    await duringRestart

    print(`stopping NATS for ${brokerOutageMs / 1000} s`)
    await nats.kill('SIGTERM')
    await emitter.emit(events * 0.2, brokerOutageMs)
    expect(await countUnpublished()).toBeGreaterThan(0)
    await nats.restart()
    await eventually(async () => (await countUnpublished()) === 0, { timeoutMs: 20_000 })

    print(`killing NATS and restoring its storage of ${storageAgeMs / 1000} s before`)
    const copy = await copyBrokerData(nats)
    await emitter.emit(events * 0.1, storageAgeMs)
    await replicas.stopKilling()
    replicas.suspend()
    await emitter.emit(events * 0.1, 500)
    await eventually(async () => (await countUnpublished()) === 0)
    const before = await countStored()
    const after = await withRelaySuspended(async () => {
      await nats.kill('SIGKILL')
      copy.restore()
      await nats.restart()
      return countStored()
    })
    print(`${after} of ${before} events are stored`)
    expect(after).toBeLessThanOrEqual(before - events * 0.1)
    replicas.resume()
    await faultFleet.subscribe('/late-1', ['*'])
    await eventually(async () => (await countStored()) >= before, {
      timeoutMs: 30_000,
      description: 'all events being stored again',
    })

    print('wiping the storage of NATS while fan-out is paused')
    await replicas.stop()
    await emitter.emit(events * 0.1, 500)
    await eventually(async () => (await countUnpublished()) === 0)
    await nats.kill('SIGTERM')
    await nats.restart({ wipe: true })
    await replicas.start()
    await faultFleet.subscribe('/late-2', ['*'])
    // Events of a killed worker are redelivered after 30 s, so the short variant kills none here.
    if (isLong) replicas.startKilling()
    await emitter.emit(events * 0.1, 2_000)
    await replicas.stopKilling()

    const expectedDeliveries = await readExpectedDeliveries()
    const count = faultFleet.receiver.received.length
    print(`all events are emitted: ${expectedDeliveries.length} deliveries expected, ${count} requests received`)
    await eventually(
      () => {
        const came = arrivals()
        return expectedDeliveries.every(({ path, eventId }) => came.has(keyOf(path, eventId)))
      },
      { timeoutMs: 180_000, intervalMs: 250, description: 'every delivery' },
    )
    await eventually(
      async () =>
        (await faultFleet.query('webhook-delivery', `SELECT FROM deliveries WHERE status = 'pending'`)).length === 0,
      { timeoutMs: 60_000, description: 'the end of every delivery' },
    )

    const came = arrivals()
    const requests = faultFleet.receiver.received.length
    print(
      `${expectedDeliveries.length} deliveries of ${events} events, ${replicas.kills} kills, ${requests} requests, ` +
        `${requests - came.size} duplicates (${((100 * (requests - came.size)) / expectedDeliveries.length).toFixed(2)} %)`,
    )
    const expected = new Set(expectedDeliveries.map(({ path, eventId }) => keyOf(path, eventId)))
    expect([...came.keys()].filter((key) => !expected.has(key))).toEqual([])
    expect([...came.values()].filter((all) => !isSame(all))).toEqual([])
    expect(new Set(expectedDeliveries.map(({ eventId }) => eventId)).size).toBeGreaterThanOrEqual(events)
    expect(await faultFleet.query('webhook-delivery', 'SELECT FROM platform.dead_events')).toEqual([])
    for (const late of ['/late-1', '/late-2']) {
      const own = expectedDeliveries.filter(({ path }) => path === late).length
      print(`${late}: ${own} of ${events} events expected`)
      expect(own).toBeGreaterThan(0)
      expect(own).toBeLessThan(events * 0.3)
    }
  }, 400_000)
})
