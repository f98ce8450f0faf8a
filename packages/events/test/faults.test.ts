import { spawn } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { newId } from '@wp/database'
import { eventually, findFreePort, type Nats, startNats, testNats } from '@wp/testkit'
import { type Bus, createConsumer, createRelay, findOrCreateStream, streamName } from '../src/index.ts'
import { emit, openTestEnvironment, recordEffect, type TestEnvironment } from './fixture/test-environment.ts'

let environment: TestEnvironment
let nats: Nats | undefined
const shard = 'faults'

beforeEach(async () => {
  environment = await openTestEnvironment()
})
afterEach(async () => {
  await environment.stopWorkers()
  await environment.close()
  await nats?.stop()
  nats = undefined
})

const startRelay = (bus: Bus, streamCheckMs = 5_000) =>
  environment.run(
    createRelay({
      database: environment.database,
      bus,
      service: 'data',
      log: environment.log,
      pollMs: 100,
      streamCheckMs,
    }),
  )

const startConsumer = (bus: Bus, handle = recordEffect) =>
  environment.run(
    createConsumer({
      database: environment.connect(),
      bus,
      service: 'webhook-delivery',
      purpose: 'fan-out',
      kinds: 'all',
      handle,
      log: environment.log,
      ackWaitMs: 1_000,
      heartbeatMs: 500,
      maxAttempts: 1,
    }),
  )

const relayFailed = () =>
  environment.log.entries.some(({ event, worker }) => event === 'worker.pass_failed' && worker === 'relay of data')

/** Waits until exactly these events have had their effect, each once. */
async function settledOnce(ids: string[]): Promise<void> {
  await eventually(async () => (await environment.effects()).length >= ids.length, { description: 'the effects' })
  expect([...(await environment.effects())].sort()).toEqual([...ids].sort())
}

const published = () =>
  eventually(async () => {
    const left = await environment.queryAsAdmin('SELECT FROM platform.outbox WHERE published_at IS NULL')
    return left.length === 0
  })

async function messages(url: string): Promise<number> {
  const raw = await connect({ servers: url })
  try {
    return (await (await jetstreamManager(raw)).streams.info(streamName(shard))).state.messages
  } finally {
    await raw.close()
  }
}

describe('when the broker', () => {
  it('is killed and restarted, events committed before, during and after the outage are handled once', async () => {
    nats = await startNats()
    const bus = await environment.bus(nats.url, shard)
    await startRelay(bus)
    await startConsumer(bus)
    const before = await environment.commit(10)
    await settledOnce(before)
    await nats.kill()
    const during = await environment.commit(10)
    await nats.restart()
    const after = await environment.commit(10)
    await settledOnce([...before, ...during, ...after])
  })

  it('is unavailable at the start, relay and consumer start and catch up when it is available', async () => {
    const port = await findFreePort()
    const bus = await environment.openBus(`127.0.0.1:${port}`, shard)
    await startRelay(bus)
    await startConsumer(bus)
    expect(bus.isConnected).toBe(false)
    const ids = await environment.commit(3)
    nats = await startNats({ port })
    await settledOnce(ids)
  })

  it('loses its storage, unhandled events are handled and handled ones are not handled again', async () => {
    nats = await startNats()
    const bus = await environment.bus(nats.url, shard)
    await startRelay(bus)
    const consumer = await startConsumer(bus)
    const handled = await environment.commit(10)
    await settledOnce(handled)
    await consumer.stop()
    const unconsumed = await environment.commit(10)
    await published()
    await nats.restart({ wipe: true })
    await startConsumer(bus)
    await settledOnce([...handled, ...unconsumed])
    await published()
    expect(await messages(nats.url)).toBe(20)
  })

  it('loses acknowledged events in a power failure, they are published again after any outage', async () => {
    nats = await startNats()
    const bus = await environment.bus(nats.url, shard)
    await startRelay(bus)
    const data = join(nats.storeDir ?? '', 'data')
    const kept = await environment.commit(5)
    await published()
    await nats.kill('SIGTERM')
    cpSync(data, `${data}.synced`, { recursive: true })
    await nats.restart()
    const lost = await environment.commit(5)
    await published()
    expect(await messages(nats.url)).toBe(10)
    await nats.kill()
    rmSync(data, { recursive: true })
    cpSync(`${data}.synced`, data, { recursive: true })
    await environment.queryAsAdmin(`UPDATE platform.outbox SET published_at = published_at - interval '2 hours'`)
    await nats.restart()
    await startConsumer(bus)
    await settledOnce([...kept, ...lost])
  })

  it('loses its stream while connected, the stream is recreated and all events are handled', async () => {
    nats = await startNats()
    const bus = await environment.bus(nats.url, shard)
    await startRelay(bus, 100)
    const consumer = await startConsumer(bus)
    const handled = await environment.commit(5)
    await settledOnce(handled)
    await consumer.stop()
    const unconsumed = await environment.commit(5)
    await published()
    let deleted = false
    const running = await startConsumer(bus, async (event, tx, metadata) => {
      if (unconsumed.includes(event.id) && !deleted)
        throw Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' })
      await recordEffect(event, tx, metadata)
    })
    const raw = await connect({ servers: nats.url })
    await (await jetstreamManager(raw)).streams.delete(streamName(shard))
    deleted = true
    await raw.close()
    const after = await environment.commit(5)
    await settledOnce([...handled, ...unconsumed, ...after])
    await eventually(async () => (await running.watermark()).sequence > 0)
  })

  it('has a full stream, events wait in the outbox until there is space', async () => {
    nats = await startNats()
    const bus = await environment.bus(nats.url, shard)
    await findOrCreateStream(bus)
    const resize = (bytes: number) =>
      bus.jetstream.broker().manager.streams.update(streamName(shard), { max_bytes: bytes })
    await resize(4_096)
    await startRelay(bus)
    await startConsumer(bus)
    const ids = await environment.commit(30)
    await eventually(() => relayFailed())
    expect((await environment.effects()).length).toBeLessThan(30)
    await resize(1_048_576)
    await settledOnce(ids)
  })

  it('stops responding, the consumer restarts and continues when it responds again', async () => {
    nats = await startNats()
    const bus = await environment.bus(nats.url, shard)
    await startRelay(bus)
    const { name } = await startConsumer(bus)
    await settledOnce(await environment.commit(1))
    await nats.kill('SIGSTOP')
    await eventually(() =>
      environment.log.entries.some(({ event, worker }) => event === 'worker.pass_failed' && worker === name),
    )
    await nats.kill('SIGCONT')
    await environment.commit(1)
    await eventually(async () => (await environment.effects()).length === 2)
  })
})

describe('when a replica', () => {
  it('is killed in a handler, another replica handles the event once', async () => {
    const { url, shard: own } = testNats()
    const bus = await environment.bus(url, own)
    await startRelay(bus)
    const victim = newId('evt')
    const args = [environment.url, environment.workerUrl, url, own, victim]
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('./fixture/consumer-process.ts', import.meta.url)), ...args],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const exited = new Promise((resolve) => child.once('exit', resolve))
    try {
      const first = await environment.commit(3)
      await emit(environment.database, victim, newId('ws'))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.kill('SIGKILL')
      await exited
      expect(await environment.effects()).not.toContain(victim)
      await startConsumer(bus)
      const later = await environment.commit(3)
      await settledOnce([...first, victim, ...later])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('when the database', () => {
  it('is unavailable, the consumer pauses without counting attempts and continues afterwards', async () => {
    const { url, shard: own } = testNats()
    const bus = await environment.bus(url, own)
    await startRelay(bus)
    await startConsumer(bus)
    const before = await environment.commit(5)
    await settledOnce(before)
    await environment.closeDatabase()
    await eventually(() => relayFailed())
    await environment.reopenDatabase()
    const after = await environment.commit(5)
    await settledOnce([...before, ...after])
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toHaveLength(0)
  })

  it('becomes unavailable in a handler, the event is handled afterwards without a counted attempt', async () => {
    const { url, shard: own } = testNats()
    const bus = await environment.bus(url, own)
    await startRelay(bus)
    let isFirst = true
    await startConsumer(bus, async (event, tx, metadata) => {
      if (isFirst) await environment.closeDatabase()
      isFirst = false
      await recordEffect(event, tx, metadata)
    })
    const ids = await environment.commit(1)
    await eventually(() => environment.log.entries.some(({ event }) => event === 'consumer.paused'))
    await environment.reopenDatabase()
    await settledOnce(ids)
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toHaveLength(0)
  })
})
