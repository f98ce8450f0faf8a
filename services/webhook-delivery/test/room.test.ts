import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hang, type Receiver, startReceiver } from '@wp/testkit'
import { roomFor } from '../src/delivery/room.ts'
import { addBacklog } from './fixture/backlog.ts'
import { startWorld, type World } from './fixture/world.ts'

describe('the room of a process', () => {
  it('is shared so that suspects never hold more than half of it, at any size', () => {
    for (const concurrency of [1, 2, 3, 8, 50, 512]) {
      let suspects = 0
      // Nothing but suspects is there to be taken, at most 200 by a claim.
      for (let turn = 0; turn < 100; turn += 1) {
        const room = roomFor({ concurrency, free: concurrency - suspects, suspects })
        if (room.suspects) suspects += Math.min(room.free, 200)
      }
      expect(suspects).toBeGreaterThan(0)
      expect(suspects).toBeLessThanOrEqual(Math.ceil(concurrency / 2))
      expect(roomFor({ concurrency, free: concurrency - suspects, suspects })).toEqual({
        free: concurrency - suspects,
        suspects: false,
      })
    }
  })
})

describe('endpoints that failed before and hang now', () => {
  let world: World
  let receiver: Receiver
  let dead: Receiver
  beforeAll(async () => {
    world = await startWorld({ DELIVERY_CONCURRENCY: '8', ATTEMPT_TIMEOUT_SECONDS: '30', LEASE_SECONDS: '40' })
    ;[receiver, dead] = await Promise.all([startReceiver(), startReceiver({ behaviour: hang() })])
  })
  afterAll(async () => {
    await dead?.close()
    await world?.stop()
    await receiver?.close()
  })

  it('leave half of the room to first attempts', async () => {
    for (let index = 0; index < 6; index += 1) {
      const id = await world.subscribe({ endpoint: dead.url(`/${index}`), events: ['INVOICE_ISSUED'] })
      await world.sql.query('UPDATE endpoints SET consecutive_failures = 1 WHERE webhook_id = $1', [id])
      await addBacklog(world.sql, id, 10)
    }
    world.bus.wake('webhook-delivery', 'deliveries')
    await dead.waitFor(4)
    await world.subscribe({ endpoint: receiver.url('/well'), events: ['PLAN_CHANGED'] })
    await world.publish('PLAN_CHANGED')
    await receiver.waitFor(1)
    expect(dead.inFlight.peak).toBe(4)
  })
})
