import { BrokerUnavailable, type EventConsumer } from '@wp/events'
import { createLoop, type Loop, type PassResult } from '@wp/runtime'
import type { Context } from '../context.ts'
import { deliveryQueue } from '../store/endpoints/due-marks.ts'
import { orderedDeliveryQueue, releaseNextDeliveries } from '../store/endpoints/waiting-deliveries.ts'
import { findAboveWatermark, writeWatermark } from '../store/endpoints/watermark.ts'

/** Pauses until the broker is queried again: an event is acknowledged shortly after its deliveries are written. */
const firstPauseMs = 2
const maxPauseMs = 500

/**
 * Creates the worker that releases the deliveries of strict subscriptions in event order. Replicas fan events out
 * concurrently, so a later event may be written first. The broker reports the watermark up to which all events were
 * processed; deliveries above it wait.
 */
export function createOrderedDelivery(
  { database, bus, log, settings }: Pick<Context, 'database' | 'bus' | 'log' | 'settings'>,
  fanOut: Pick<EventConsumer, 'watermark'>,
): Loop {
  let pauseMs = firstPauseMs

  async function pass(): Promise<PassResult> {
    // Before the broker is queried: deliveries below the stored watermark do not depend on it.
    const { isReleased, hasMore } = await releaseNextDeliveries(database.worker)
    if (isReleased) bus.wake('webhook-delivery', deliveryQueue)
    const next = await advanceWatermark()
    return hasMore ? 'more' : next
  }

  /** Stores the current watermark. @returns `more` if it passed all waiting deliveries, so that they can be released */
  async function advanceWatermark(): Promise<PassResult> {
    const queriedAt = await findAboveWatermark(database.worker)
    if (queriedAt === undefined) return 'idle'
    try {
      await writeWatermark(database.worker, await fanOut.watermark(), queriedAt)
    } catch (error) {
      // Without the broker no events are fanned out either; the next poll tries again.
      if (error instanceof BrokerUnavailable) return 'idle'
      throw error
    }
    if ((await findAboveWatermark(database.worker)) === undefined) {
      pauseMs = firstPauseMs
      return 'more'
    }
    const beforeMs = pauseMs
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    return beforeMs
  }

  return createLoop({
    name: 'ordered delivery',
    pass,
    pollMs: settings.pollMs,
    log,
    subscribe: (wake) => [
      bus.onWake('webhook-delivery', orderedDeliveryQueue, () => {
        pauseMs = firstPauseMs
        wake()
      }),
    ],
  })
}
