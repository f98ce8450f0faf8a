import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, neverRespond, type Receiver, startReceiver } from '@wp/testkit'
import { addBacklog, addEndpoint } from '../fixture/backlog.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

const concurrency = 32

let harness: Harness
let quiet: Receiver
let slow: Receiver
let single: Receiver

beforeAll(async () => {
  harness = await startHarness({
    DELIVERY_CONCURRENCY: String(concurrency),
    ATTEMPT_TIMEOUT_SECONDS: '60',
    LEASE_SECONDS: '120',
  })
  const neverResponding = { responder: neverRespond() }
  ;[quiet, slow, single] = await Promise.all([
    startReceiver(),
    startReceiver(neverResponding),
    startReceiver(neverResponding),
  ])
})

afterAll(async () => {
  await Promise.all([slow?.close(), single?.close()])
  await harness?.stop()
  await quiet?.close()
})

/** Publishes events one after the other and waits for the delivery of each. */
async function deliverEach(count: number, workspaceId?: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    quiet.clear()
    await harness.publish('FORECASTING_FINISHED', workspaceId === undefined ? {} : { workspace_id: workspaceId })
    await quiet.waitFor(1)
  }
}

describe('a workspace with 60 endpoints that never respond', () => {
  it('leaves slots to a workspace without attempts in flight', async () => {
    const hostile = newId('ws')
    // Each is a destination of its own, because no destination is stored.
    for (let index = 0; index < 60; index += 1)
      await addBacklog(harness.sql, await addEndpoint(harness.sql, hostile, slow.url(`/${index}`)), 4)
    harness.wakeDispatcher()
    await slow.waitFor(concurrency * 0.75)
    await harness.subscribe({ endpoint: quiet.url('/quiet'), events: ['FORECASTING_FINISHED'] })
    await deliverEach(10)
    // No attempt of the hostile workspace has ended: all slots that it may borrow are in use.
    expect(slow.inFlight).toEqual({ now: concurrency * 0.75, peak: concurrency * 0.75 })
  })
})

describe('many subscriptions to one slow destination', () => {
  it('leave the rest of the share of their workspace to its other destinations', async () => {
    const workspaceId = newId('ws')
    for (let index = 0; index < 20; index += 1) {
      const id = await harness.subscribe({ endpoint: single.url(`/${index}`), events: ['*'] }, { workspaceId })
      await addBacklog(harness.sql, id, 4)
    }
    harness.wakeDispatcher()
    await single.waitFor(1)
    await harness.subscribe({ endpoint: quiet.url('/other'), events: ['FORECASTING_FINISHED'] }, { workspaceId })
    await deliverEach(3, workspaceId)
    await eventually(() => single.inFlight.now === concurrency / 8)
    expect(single.inFlight.peak).toBe(concurrency / 8)
  })
})
