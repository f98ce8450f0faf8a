import { randomUUID } from 'node:crypto'
import type { Log } from '@wp/runtime'
import { createListeners, type Listeners } from './listeners.ts'
import { wakeSubject } from './subject.ts'
import type { Subscription } from './subscriptions.ts'

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

/**
 * Creates wake notifications: delivered by a function call within the process, so that they work without the broker,
 * and over core NATS to other replicas.
 */
export function createWakes(shard: string, bus: PubSub, log: Log): Wakes {
  const instanceId = randomUUID()
  const local = new Map<string, Listeners>()

  return {
    wake(service, queue) {
      const subject = wakeSubject(shard, service, queue)
      local.get(subject)?.call()
      bus.publish(subject, instanceId)
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
