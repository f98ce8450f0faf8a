import type { DomainEvent } from '@wp/contracts'

/** Published events that are kept for a while in case the broker loses them. */
export interface RecentEvents {
  add(events: readonly DomainEvent[]): void
  /** Removes and returns the events that were added within the window. */
  takeAll(): DomainEvent[]
}

interface RecentEventsOptions {
  /** Retention of an event. */
  windowMs: number
  /** The oldest are dropped beyond it. */
  maxEvents: number
  now: () => number
}

export function createRecentEvents({ windowMs, maxEvents, now }: RecentEventsOptions): RecentEvents {
  let recent: { event: DomainEvent; addedAt: number }[] = []
  const isWithinWindow = ({ addedAt }: { addedAt: number }) => addedAt > now() - windowMs
  return {
    add(events) {
      const added = events.map((event) => ({ event, addedAt: now() }))
      recent = [...recent, ...added].filter(isWithinWindow).slice(-maxEvents)
    },
    takeAll() {
      const taken = recent.filter(isWithinWindow).map(({ event }) => event)
      recent = []
      return taken
    },
  }
}
