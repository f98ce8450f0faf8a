import { randomUUID } from 'node:crypto'
import type { Log } from '@wp/runtime'
import { createListeners, type Listeners } from './listeners.ts'
import { wakeSubject } from './subject.ts'
import type { Subscription } from './subscriptions.ts'

export interface Wakes {
  /** Tells every replica of the service, this process first, that the queue has work. */
  wake(service: string, queue: string): void
  /** Hears that the queue has work. @returns a function that ends it */
  onWake(service: string, queue: string, listener: () => void): () => void
}

/** Where wakes are said and heard. */
interface PubSub {
  publish(subject: string, data?: unknown): void
  subscribe(subject: string, handler: (data: unknown) => void): Subscription
}

/** Alarm clocks: within the process by call, so also with the broker away; to the other replicas by core NATS. */
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
      // The echo of this process's own wake would only wake it twice.
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
