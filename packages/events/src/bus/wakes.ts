import { randomUUID } from 'node:crypto'
import type { Log } from '@wp/runtime'
import { wakeSubject } from './subject.ts'
import type { Subscription } from './subscriptions.ts'
import { createListeners, type Listeners } from './subscriptions.ts'

export interface Wakes {
  /** Notifies every replica of the service that the queue has work, this process synchronously. */
  wake(service: string, queue: string): void
  /** Calls the listener when the queue has work. @returns a function that removes the listener */
  onWake(service: string, queue: string, listener: () => void): () => void
}

interface PubSub {
  publish(subject: string, data?: unknown): void
  subscribe(subject: string, handler: (data: unknown) => void): Subscription
}

/** Other replicas are notified of a queue at most once in this time: at a high rate each commit wakes the relay. */
const minIntervalMs = 5

/**
 * Creates wake notifications: delivered by a function call within the process, so that they work without the broker,
 * and over core NATS to other replicas, the first at once, and those that soon follow it together.
 */
export function createWakes(shard: string, bus: PubSub, log: Log): Wakes {
  const instanceId = randomUUID()
  const local = new Map<string, Listeners>()
  /** Subjects that were published within the interval, and whether they must be again at its end. */
  const recent = new Map<string, { isDue: boolean }>()

  function notifyReplicas(subject: string): void {
    const published = recent.get(subject)
    if (published !== undefined) {
      published.isDue = true
      return
    }
    bus.publish(subject, instanceId)
    const state = { isDue: false }
    recent.set(subject, state)
    setTimeout(() => {
      recent.delete(subject)
      if (state.isDue) notifyReplicas(subject)
    }, minIntervalMs).unref()
  }

  return {
    wake(service, queue) {
      const subject = wakeSubject(shard, service, queue)
      local.get(subject)?.call()
      notifyReplicas(subject)
    },
    onWake(service, queue, listener) {
      const subject = wakeSubject(shard, service, queue)
      const listeners = local.get(subject) ?? createListeners(log)
      local.set(subject, listeners)
      const remove = listeners.add(listener)
      // Ignore the message published by this process, whose listeners were called directly.
      const subscription = bus.subscribe(subject, (sender) => {
        if (sender !== instanceId) listener()
      })
      return () => {
        remove()
        subscription.unsubscribe()
      }
    },
  }
}

/** Returns the name under which cancellations of the jobs of a queue are announced. */
export const cancelQueue = (queue: string): string => `${queue}_cancelled`
