import { LRUCache } from 'lru-cache'
import type { Denial } from './denial.ts'

/** The denials of one credential that were not recorded one by one. */
export interface WithheldDenials {
  /** The latest of them. */
  denial: Denial
  count: number
}

/** Bounds the denials recorded per credential and minute; counts the others. */
export interface DenialThrottle {
  /** Returns true if a denial is to be recorded; otherwise it is counted. */
  allows(denial: Denial): boolean
  /** Removes and returns the counts of windows that have ended. @param all also those of open windows */
  takeWithheld(all?: boolean): WithheldDenials[]
}

interface Window {
  endsAt: number
  allowed: number
  withheld: WithheldDenials | undefined
}

export const maxDenialsPerWindow = 60
const windowMs = 60_000

/**
 * @param now milliseconds since 1970
 * @param maxCredentials the least recently denied is evicted; its window ends early
 */
export function createDenialThrottle(now: () => number, maxCredentials = 10_000): DenialThrottle {
  const withWithheld = new Set<Window>()
  const windows = new LRUCache<string, Window>({
    max: maxCredentials,
    dispose: (window) => {
      window.endsAt = 0
    },
  })

  function windowOf({ credentialId }: Denial): Window {
    const found = windows.get(credentialId)
    if (found !== undefined && found.endsAt > now()) return found
    const opened = { endsAt: now() + windowMs, allowed: 0, withheld: undefined }
    windows.set(credentialId, opened)
    return opened
  }

  return {
    allows(denial) {
      const window = windowOf(denial)
      if (window.allowed < maxDenialsPerWindow) {
        window.allowed += 1
        return true
      }
      window.withheld = { denial, count: (window.withheld?.count ?? 0) + 1 }
      withWithheld.add(window)
      return false
    },
    takeWithheld(all = false) {
      const ended = [...withWithheld].filter(({ endsAt }) => all || endsAt <= now())
      for (const window of ended) withWithheld.delete(window)
      return ended.flatMap(({ withheld }) => withheld ?? [])
    },
  }
}
