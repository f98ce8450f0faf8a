import { entryLimit } from '@wp/runtime'
import { networkPrefix } from '@wp/service'
import { LRUCache } from 'lru-cache'
import type { Denial } from './denial.ts'

/** The subject that denials are counted by. `platform`: all that belong to no workspace. */
export type ThrottleScope = 'credential' | 'network' | 'workspace' | 'platform'

/** Denials that were not recorded one by one. */
export interface WithheldDenials {
  /** The latest of them. */
  denial: Denial
  count: number
  /** The subject of the exceeded limit: the same credential, client network, workspace, or everything. */
  scope: ThrottleScope
}

/** Bounds the denials recorded per minute; counts the others. */
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

/**
 * Denials recorded per minute and edge. Denials of callers without a workspace share one chain of the audit log, so all
 * of them together are limited; and those of one client network, so that it cannot use up that limit.
 */
export const maxDenialsPerMinute: Readonly<Record<ThrottleScope, number>> = {
  credential: 60,
  network: 30,
  workspace: 600,
  platform: 120,
}
/** Denials without a workspace recorded per day and edge. Beyond it only their number is recorded, once a minute. */
export const maxPlatformDenialsPerDay = 10_000

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * @param now milliseconds since 1970
 * @param maxKeys windows per scope; the least recently used is evicted, and its window ends early
 */
export function createDenialThrottle(now: () => number, maxKeys = 10_000): DenialThrottle {
  const withWithheld = new Set<Window>()
  const windows: Record<ThrottleScope, ReturnType<typeof createWindows>> = {
    credential: createWindows(now, maxKeys),
    network: createWindows(now, maxKeys),
    workspace: createWindows(now, maxKeys),
    platform: createWindows(now, 1),
  }
  const day = { endsAt: 0, allowed: 0 }

  function isWithinDay(scope: ThrottleScope): boolean {
    if (scope !== 'platform') return true
    if (day.endsAt <= now()) Object.assign(day, { endsAt: now() + dayMs, allowed: 0 })
    return day.allowed < maxPlatformDenialsPerDay
  }

  return {
    allows(denial) {
      const counted = keysOf(denial).map(({ scope, key }) => ({ scope, window: windows[scope].get(key) }))
      const exceeded = counted.find(
        ({ scope, window }) => window.allowed >= maxDenialsPerMinute[scope] || !isWithinDay(scope),
      )
      if (exceeded !== undefined) {
        const { scope, window } = exceeded
        window.withheld = { denial, count: (window.withheld?.count ?? 0) + 1, scope }
        withWithheld.add(window)
        return false
      }
      for (const { scope, window } of counted) {
        window.allowed += 1
        if (scope === 'platform') day.allowed += 1
      }
      return true
    },
    takeWithheld(all = false) {
      const ended = [...withWithheld].filter(({ endsAt }) => all || endsAt <= now())
      for (const window of ended) withWithheld.delete(window)
      return ended.flatMap(({ withheld }) => withheld ?? [])
    },
  }
}

/** Returns what a denial is counted by, the narrowest first. */
const keysOf = ({ credentialId, workspaceId, ip }: Denial): { scope: ThrottleScope; key: string }[] => [
  { scope: 'credential', key: credentialId },
  ...(workspaceId === ''
    ? ([
        { scope: 'network', key: networkPrefix(ip) },
        { scope: 'platform', key: '' },
      ] as const)
    : ([{ scope: 'workspace', key: workspaceId }] as const)),
]

function createWindows(now: () => number, max: number) {
  const windows = new LRUCache<string, Window>({
    ...entryLimit(max),
    dispose: (window) => {
      window.endsAt = 0
    },
  })
  return {
    /** Returns the open window of a key. */
    get(key: string): Window {
      const found = windows.get(key)
      if (found !== undefined && found.endsAt > now()) return found
      const opened = { endsAt: now() + minuteMs, allowed: 0, withheld: undefined }
      windows.set(key, opened)
      return opened
    },
  }
}
