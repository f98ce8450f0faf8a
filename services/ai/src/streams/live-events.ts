import { randomUUID } from 'node:crypto'
import { type Bus, type Subscription, wakeSubject } from '@wp/events'
import type { EventBatch } from './chunk.ts'

type Listener = (batch: EventBatch) => void

/**
 * Carries the events of runs to their readers while they are written: by a function call within the process, so that it
 * works without the broker, and over core NATS to other replicas. Messages may be lost: readers find what they missed
 * in the database.
 */
export interface LiveEvents {
  /** Sends events that are written. */
  publish(runId: string, batch: EventBatch): void
  /** Calls the listener with the events of a run. @returns a function that removes the listener */
  listen(runId: string, listener: Listener): () => void
}

interface Channel {
  listeners: Set<Listener>
  subscription: Subscription
}

interface Message extends EventBatch {
  sender: string
}

export function createLiveEvents(bus: Pick<Bus, 'publish' | 'subscribe' | 'shard'>): LiveEvents {
  const instanceId = randomUUID()
  const channels = new Map<string, Channel>()
  const subjectOf = (runId: string) => wakeSubject(bus.shard, 'ai', `events-${runId}`)

  function open(runId: string): Channel {
    const listeners = new Set<Listener>()
    const subscription = bus.subscribe(subjectOf(runId), (data) => {
      const message = data as Message // published by `publish` of another replica
      if (message.sender !== instanceId) for (const listener of listeners) listener(message)
    })
    const channel = { listeners, subscription }
    channels.set(runId, channel)
    return channel
  }

  return {
    publish(runId, batch) {
      for (const listener of channels.get(runId)?.listeners ?? []) listener(batch)
      const message: Message = { sender: instanceId, ...batch }
      bus.publish(subjectOf(runId), message)
    },
    listen(runId, listener) {
      const channel = channels.get(runId) ?? open(runId)
      channel.listeners.add(listener)
      return () => {
        channel.listeners.delete(listener)
        if (channel.listeners.size > 0 || channels.get(runId) !== channel) return
        channel.subscription.unsubscribe()
        channels.delete(runId)
      }
    },
  }
}
