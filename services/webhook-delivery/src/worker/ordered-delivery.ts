import { createLoop, type Worker } from '@wp/runtime'
import { BrokerUnavailable, type EventConsumer } from '@wp/events'
import type { Context } from '../context.ts'
import { deliveryQueue } from '../store/deliveries/enqueue.ts'
import { orderedDeliveryQueue, releaseNextDeliveries } from '../store/endpoints/ordered-delivery.ts'
import { findAboveWatermark, writeWatermark } from '../store/endpoints/watermark.ts'

const pollMs = 1_000

/** An event is settled a moment after its deliveries are written: so long until it is asked again, doubling. */
const initialBackoffMs = 2
const maxBackoffMs = 500

/**
 * Gives the deliveries of strict subscriptions their turns. Replicas fan events out side by side, so that a later one
 * may be written first; the broker says up to where all are, and above that nobody gets a turn.
 */
export function createOrderedDelivery(
  { database, bus, log }: Pick<Context, 'database' | 'bus' | 'log'>,
  fanOut: Pick<EventConsumer, 'watermark'>,
): Worker & { wake(): void } {
  const loop = createLoop({ name: 'turns of strict subscriptions', pass, pollMs, log })
  let unsubscribeWake = () => {}
  let wakeTimer: NodeJS.Timeout | undefined
  let backoffMs = initialBackoffMs

  async function pass(): Promise<'more' | 'idle'> {
    clearTimeout(wakeTimer)
    // Before the broker is asked: should it be away, what lies below the known floor goes on all the same.
    const { isReleased, more } = await releaseNextDeliveries(database.worker)
    if (isReleased) bus.wake('webhook-delivery', deliveryQueue)
    const hasAdvanced = await advanceWatermark()
    return more || hasAdvanced ? 'more' : 'idle'
  }

  /** @returns whether nothing that waits lies above it any more, as it did before */
  async function advanceWatermark(): Promise<boolean> {
    const askedAt = await findAboveWatermark(database.worker)
    if (askedAt === undefined) return false
    try {
      await writeWatermark(database.worker, await fanOut.watermark(), askedAt)
    } catch (error) {
      // Nothing is fanned out meanwhile either.
      if (error instanceof BrokerUnavailable) return false
      throw error
    }
    if ((await findAboveWatermark(database.worker)) === undefined) {
      backoffMs = initialBackoffMs
      return true
    }
    wakeTimer = setTimeout(loop.wake, backoffMs)
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs)
    return false
  }

  return {
    name: loop.name,
    wake: loop.wake,
    async start() {
      unsubscribeWake = bus.onWake('webhook-delivery', orderedDeliveryQueue, () => {
        backoffMs = initialBackoffMs
        loop.wake()
      })
      await loop.start()
    },
    async stop() {
      unsubscribeWake()
      await loop.stop()
      clearTimeout(wakeTimer)
    },
  }
}
