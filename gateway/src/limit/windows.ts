import { LRUCache } from 'lru-cache'

/** One policy a request counts against. */
export interface Policy {
  /** Its name in the headers. */
  name: string
  /** What is counted, for example one credential. */
  key: string
  /** Requests a window. */
  quota: number
}

/** How a policy stands after a request was counted or refused. */
export interface Count {
  name: string
  quota: number
  remaining: number
  /** Whole seconds until the window ends. */
  resetSeconds: number
  exceeded: boolean
}

/** Counts requests in windows of a minute; one edge's own count. */
export interface Windows {
  /** Counts against all policies, or, when one is exceeded, against none. */
  take(policies: readonly Policy[]): Count[]
}

export const windowSeconds = 60

/**
 * @param now milliseconds since 1970
 * @param entries windows kept at most, the least recently used of which is forgotten
 */
export function createWindows(now: () => number, entries = 200_000): Windows {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: entries })

  function current({ name, key }: Policy) {
    const id = `${name}:${key}`
    const found = windows.get(id)
    if (found !== undefined && found.endsAt > now()) return found
    const opened = { count: 0, endsAt: now() + windowSeconds * 1000 }
    windows.set(id, opened)
    return opened
  }

  return {
    take(policies) {
      const states = policies.map((policy) => ({ policy, window: current(policy) }))
      const refused = states.some(({ policy, window }) => window.count >= policy.quota)
      return states.map(({ policy, window }) => {
        const exceeded = window.count >= policy.quota
        if (!refused) window.count += 1
        return {
          name: policy.name,
          quota: policy.quota,
          remaining: Math.max(0, policy.quota - window.count),
          resetSeconds: Math.max(1, Math.ceil((window.endsAt - now()) / 1000)),
          exceeded,
        }
      })
    },
  }
}
