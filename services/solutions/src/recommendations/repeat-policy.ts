import type { Recommendation } from './recommendation.ts'

/** A stored recommendation with the fingerprint of the new one. */
export interface PreviousRecommendation {
  id: string
  status: string
  severity: number
  /** True until the follow-up of an accepted recommendation has a result. */
  isFollowUpPending: boolean
  updatedAt: Date
}

type Decision = { action: 'create' } | { action: 'refresh'; id: string } | { action: 'skip' }

/** The time for which a dismissed recommendation is not repeated. */
const dismissedMs = 28 * 86_400_000
/** The ratio of severities from which on a situation is clearly worse than the dismissed one. */
const clearlyWorse = 1.25

/**
 * Decides what becomes of a recommendation that was made before. An open one is refreshed. While an accepted one waits
 * for its follow-up, and for 28 days after a dismissal, it is not repeated, unless it is clearly worse than the
 * dismissed one.
 * @param previous in any order
 */
export function decide(
  previous: readonly PreviousRecommendation[],
  { severity }: Pick<Recommendation, 'severity'>,
  now: Date,
): Decision {
  const newestFirst = previous.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
  const open = newestFirst.find(({ status }) => status === 'open')
  if (open !== undefined) return { action: 'refresh', id: open.id }
  if (newestFirst.some(({ status, isFollowUpPending }) => status === 'accepted' && isFollowUpPending))
    return { action: 'skip' }
  const dismissed = newestFirst.find(({ status }) => status === 'dismissed')
  if (dismissed === undefined || now.getTime() - dismissed.updatedAt.getTime() >= dismissedMs)
    return { action: 'create' }
  return { action: severity >= clearlyWorse * dismissed.severity ? 'create' : 'skip' }
}
