import { BrokerAway, createLoop, type EventConsumer } from '@wp/events'
import type { Worker } from '@wp/service'
import type { Context } from '../context.ts'
import { deliveryQueue } from '../store/enqueue.ts'
import { findUnsettled, writeFloor } from '../store/floor.ts'
import { giveTurns, turnQueue } from '../store/turns.ts'

const pollMs = 1_000

/** An event is settled a moment after its deliveries are written: so long until it is asked again, doubling. */
const firstPauseMs = 2
const longestPauseMs = 500

/**
 * Gives the deliveries of strict subscriptions their turns. Replicas fan events out side by side, so that a later one
 * may be written first; the broker says up to where all are, and above that nobody gets a turn.
 */
export function createTurns(
  { database, bus, log }: Pick<Context, 'database' | 'bus' | 'log'>,
  fanOut: Pick<EventConsumer, 'floor'>,
): Worker & { wake(): void } {
  const loop = createLoop({ name: 'turns of strict subscriptions', pass, pollMs, log })
  let forgetWake = () => {}
  let alarm: NodeJS.Timeout | undefined
  let pauseMs = firstPauseMs

  async function pass(): Promise<'more' | 'idle'> {
    clearTimeout(alarm)
    // Before the broker is asked: should it be away, what lies below the known floor goes on all the same.
    const { promoted, more } = await giveTurns(database.worker)
    if (promoted) bus.wake('webhook-delivery', deliveryQueue)
    const hasRisen = await raiseFloor()
    return more || hasRisen ? 'more' : 'idle'
  }

  /** @returns whether nothing that waits lies above it any more, as it did before */
  async function raiseFloor(): Promise<boolean> {
    const askedAt = await findUnsettled(database.worker)
    if (askedAt === undefined) return false
    try {
      await writeFloor(database.worker, await fanOut.floor(), askedAt)
    } catch (error) {
      // Nothing is fanned out meanwhile either.
      if (error instanceof BrokerAway) return false
      throw error
    }
    if ((await findUnsettled(database.worker)) === undefined) {
      pauseMs = firstPauseMs
      return true
    }
    alarm = setTimeout(loop.wake, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    return false
  }

  return {
    name: loop.name,
    wake: loop.wake,
    async start() {
      forgetWake = bus.onWake('webhook-delivery', turnQueue, () => {
        pauseMs = firstPauseMs
        loop.wake()
      })
      await loop.start()
    },
    async stop() {
      forgetWake()
      await loop.stop()
      clearTimeout(alarm)
    },
  }
}
