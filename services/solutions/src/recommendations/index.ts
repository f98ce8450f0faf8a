import { alertCapacity } from './capacity-alert.ts'
import { consolidate } from './consolidation.ts'
import type { Recommendation, RecommendInput } from './recommendation.ts'
import { planService } from './service-level.ts'

export { fingerprintOf, siteFingerprint } from './fingerprint.ts'
export { emptyShare, type FollowUp, followUp, pendingFollowUp } from './follow-up.ts'
export type { ProvenRecommendation, Recommendation, RecommendationKind } from './recommendation.ts'
export { decide, type PreviousRecommendation } from './repeat-policy.ts'

/**
 * Derives recommendations from the profiles of a run. Weekly forecasts have no weekdays, so they give capacity alerts
 * only.
 */
export function recommend(input: RecommendInput): Recommendation[] {
  const { recommendations, affected } = consolidate(input)
  return [...recommendations, ...alertCapacity(input), ...planService(input, affected)]
}
