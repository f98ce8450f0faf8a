import type { Frequency, SeriesKey, SeriesProfile } from '../forecast/shapes.ts'

export type RecommendationKind = 'consolidation' | 'capacity_alert' | 'service_level'

/** The days that a recommendation is about: those of `weekdays` from the instant `from` on and before `until`. */
export interface Window {
  from: string
  until: string
  /** Lower case, Monday first; empty for weekly series. */
  weekdays: string[]
}

/** Expected effect of following the recommendation, in words and as one number. */
export interface ExpectedEffect {
  description: string
  quantity: number
  unit: 'days_per_week' | 'over_capacity' | 'meals_per_week'
}

export interface Recommendation {
  kind: RecommendationKind
  key: SeriesKey
  title: string
  /** English text with the figures. */
  rationale: string
  figures: Record<string, number | string>
  window: Window
  expectedEffect: ExpectedEffect
  /** The probability, 0 to 1, that what the recommendation assumes is true. */
  confidence: number
  /** Severity of the situation; comparable within a kind. */
  severity: number
}

/** A recommendation with the scenario that proves it. */
export interface ProvenRecommendation extends Recommendation {
  /** Of a year, in minor units. */
  saving: { amount: number; currency: string }
  scenarioId: string
}

export interface RecommendInput {
  /** The profile of each series; null for a series without a forecast. */
  profiles: readonly (SeriesProfile | null)[]
  frequency: Frequency
  /**
   * The fields of the keys from the outer to the inner one, such as building, floor. Default: in alphabetical order.
   */
  groupBy?: readonly string[] | undefined
  /** The share of capacity, or of the usual peak, below which a weekday counts as underused. Default 0.4. */
  threshold?: number | undefined
}
