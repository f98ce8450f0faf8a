import { LRUCache } from 'lru-cache'
import type { Denial } from './denial.ts'

/** What was withheld of one credential's denials. */
export interface WithheldDenials {
  /** The last of them. */
  denial: Denial
  count: number
}

/** Lets so many denials of a credential pass, and counts those that follow. */
export interface DenialThrottle {
  allows(denial: Denial): boolean
  /** What was withheld in windows that have ended, or in all; each is told of once. */
  takeWithheld(all?: boolean): WithheldDenials[]
}

interface Window {
  endsAt: number
  passed: number
  withheld: WithheldDenials | undefined
}

/** Denials of one credential told of one by one, a window. */
export const maxDenialsPerWindow = 60
const windowMs = 60_000

/**
 * @param now milliseconds since 1970
 * @param entries credentials kept at most; one that is pushed out is told of before its window ends
 */
export function createDenialThrottle(now: () => number, entries = 10_000): DenialThrottle {
  const throttled = new Set<Window>()
  const windows = new LRUCache<string, Window>({
    max: entries,
    dispose: (window) => {
      window.endsAt = 0
    },
  })

  function current({ credentialId }: Denial): Window {
    const found = windows.get(credentialId)
    if (found !== undefined && found.endsAt > now()) return found
    const opened = { endsAt: now() + windowMs, passed: 0, withheld: undefined }
    windows.set(credentialId, opened)
    return opened
  }

  return {
    allows(denial) {
      const window = current(denial)
      if (window.passed < maxDenialsPerWindow) {
        window.passed += 1
        return true
      }
      window.withheld = { denial, count: (window.withheld?.count ?? 0) + 1 }
      throttled.add(window)
      return false
    },
    takeWithheld(all = false) {
      const over = [...throttled].filter(({ endsAt }) => all || endsAt <= now())
      for (const window of over) throttled.delete(window)
      return over.flatMap(({ withheld }) => withheld ?? [])
    },
  }
}
