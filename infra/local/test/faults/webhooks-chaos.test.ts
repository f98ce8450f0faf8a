import { setTimeout as pause } from 'node:timers/promises'
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

/** `WP_CHAOS=long`: more events, each of which goes to all twenty endpoints, and outages of realistic lengths. */
const isLong = process.env.WP_CHAOS === 'long'
const events = isLong ? 2_000 : 120
const endpoints = isLong ? 20 : 4
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
})
afterAll(async () => {
  await emitter?.close()
  await replicas?.stop()
  await faultFleet?.stop()
  await Promise.all([nats?.stop(), postgres?.stop()])
})

const startedAt = performance.now()
const print = (line: string) =>
  process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${line}\n`)

interface ExpectedDelivery {
  eventId: string
  webhookId: string
  path: string
}

/** Reads the expected deliveries from the databases: each committed event for each earlier subscription to its kind. */
async function readExpectedDeliveries(): Promise<ExpectedDelivery[]> {
  const emitted = await faultFleet.query<{ id: string; kind: string; at: Date }>(
    'solutions',
    'SELECT id, kind, occurred_at AS at FROM platform.outbox WHERE kind = ANY ($1)',
    [emittedKinds],
  )
  const subscriptions = await faultFleet.query<{ webhookId: string; endpoint: string; events: string[]; at: Date }>(
    'webhook-delivery',
    `SELECT webhook_id AS "webhookId", endpoint, events, created_at AS at FROM subscriptions`,
  )
  return emitted.flatMap((event) =>
    subscriptions
      .filter(({ events: kinds, at }) => at <= event.at && (kinds.includes('*') || kinds.includes(event.kind)))
      .map(({ webhookId, endpoint }) => ({ eventId: event.id, webhookId, path: new URL(endpoint).pathname })),
  )
}

const keyOf = (path: string, eventId: unknown) => `${path} ${eventId}`
const groupByDelivery = () =>
  Map.groupBy(faultFleet.receiver.received, ({ path, headers }) => keyOf(path, headers['x-webhook-event-id']))

/** Returns true if all requests have the same request id and body. */
const areIdentical = ([first, ...others]: readonly ReceivedRequest[]) =>
  others.every(
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

/** Subscribes the endpoints, in the long variant to all kinds, otherwise to one kind each. */
async function subscribeEndpoints(): Promise<void> {
  faultFleet.receiver.setResponder(respond(200, { delayMs: 20 }))
  for (let index = 0; index < endpoints; index += 1) {
    const kind = emittedKinds[index % emittedKinds.length] ?? '*'
    await faultFleet.subscribe(`/endpoint-${index}`, [isLong ? '*' : kind])
  }
}

async function killWorkersAtRandomTimes(): Promise<void> {
  print('killing workers at random times')
  replicas.startKilling()
  await emitter.emit(events * 0.2, 1_000)
}

async function restartPostgres(): Promise<void> {
  print('restarting PostgreSQL')
  const emitted = emitter.emit(events * 0.2, 1_000)
  await pause(500)
  await postgres.kill('SIGINT')
  await pause(databaseOutageMs)
  await postgres.restart()
  await emitted
}

async function stopBroker(): Promise<void> {
  print(`stopping NATS for ${brokerOutageMs / 1000} s`)
  await nats.kill('SIGTERM')
  await emitter.emit(events * 0.2, brokerOutageMs)
  expect(await countUnpublished()).toBeGreaterThan(0)
  await nats.restart()
  await eventually(async () => (await countUnpublished()) === 0)
}

/** The broker loses the events of the last seconds; they are stored again. */
async function restoreBrokerStorage(): Promise<void> {
  print(`killing NATS and restoring its storage of ${storageAgeMs / 1000} s before`)
  const copy = await copyBrokerData(nats)
  await emitter.emit(events * 0.1, storageAgeMs)
  await replicas.stopKilling()
  replicas.suspend()
  await emitter.emit(events * 0.1, 500)
  await eventually(async () => (await countUnpublished()) === 0)
  const storedBefore = await countStored()
  const storedAfter = await withRelaySuspended(async () => {
    await nats.kill('SIGKILL')
    copy.restore()
    await nats.restart()
    return countStored()
  })
  print(`${storedAfter} of ${storedBefore} events are stored`)
  expect(storedAfter).toBeLessThanOrEqual(storedBefore - events * 0.1)
  replicas.resume()
  await faultFleet.subscribe('/late-1', ['*'])
  await eventually(async () => (await countStored()) >= storedBefore, {
    intervalMs: 250,
    description: 'all events being stored again',
  })
}

async function wipeBrokerStorage(): Promise<void> {
  print('wiping the storage of NATS while fan-out is stopped')
  await replicas.stop()
  await emitter.emit(events * 0.1, 500)
  await eventually(async () => (await countUnpublished()) === 0)
  await nats.kill('SIGTERM')
  await nats.restart({ wipe: true })
  await replicas.start()
  await faultFleet.subscribe('/late-2', ['*'])
  replicas.startKilling()
  await emitter.emit(events * 0.1, 2_000)
  await replicas.stopKilling()
}

async function waitForAll(expected: readonly ExpectedDelivery[]): Promise<void> {
  const count = faultFleet.receiver.received.length
  print(`all events are emitted: ${expected.length} deliveries expected, ${count} requests received`)
  const findMissing = () => {
    const received = groupByDelivery()
    return expected.filter(({ path, eventId }) => !received.has(keyOf(path, eventId)))
  }
  await eventually(() => findMissing().length === 0, {
    timeoutMs: 180_000,
    intervalMs: 250,
    description: () => {
      const missing = findMissing()
      return `${missing.length} of ${expected.length} deliveries, such as ${JSON.stringify(missing.slice(0, 3))}`
    },
  })
  await eventually(
    async () =>
      (await faultFleet.query('webhook-delivery', `SELECT FROM deliveries WHERE status = 'pending'`)).length === 0,
    { description: 'the end of every delivery' },
  )
}

describe('webhooks during faults of workers, database and broker', () => {
  it('are delivered for every event and subscription, with one request id and one body', async () => {
    await subscribeEndpoints()
    await killWorkersAtRandomTimes()
    await restartPostgres()
    await stopBroker()
    await restoreBrokerStorage()
    await wipeBrokerStorage()

    const expected = await readExpectedDeliveries()
    await waitForAll(expected)

    const received = groupByDelivery()
    const requests = faultFleet.receiver.received.length
    const duplicates = requests - received.size
    print(
      `${expected.length} deliveries of ${events} events, ${replicas.kills} kills, ${requests} requests, ` +
        `${duplicates} duplicates (${((100 * duplicates) / expected.length).toFixed(2)} %)`,
    )
    const expectedKeys = new Set(expected.map(({ path, eventId }) => keyOf(path, eventId)))
    expect([...received.keys()].filter((key) => !expectedKeys.has(key))).toEqual([])
    expect([...received.values()].filter((attempts) => !areIdentical(attempts))).toEqual([])
    expect(new Set(expected.map(({ eventId }) => eventId)).size).toBeGreaterThanOrEqual(events)
    expect(await faultFleet.query('webhook-delivery', 'SELECT FROM platform.dead_events')).toEqual([])
    for (const latePath of ['/late-1', '/late-2']) {
      const lateCount = expected.filter(({ path }) => path === latePath).length
      print(`${latePath}: ${lateCount} of ${events} events expected`)
      expect(lateCount).toBeGreaterThan(0)
      expect(lateCount).toBeLessThan(events * 0.3)
    }
  }, 400_000)
})
