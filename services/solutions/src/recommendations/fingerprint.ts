import { createHash } from 'node:crypto'
import type { Aggregation, Frequency, SeriesKey } from '../forecast/shapes.ts'
import type { RecommendationKind } from './recommendation.ts'

/** The origin of the series of a run. Groups with one key are the same group if it is equal. */
interface SeriesOrigin {
  /** Undefined for inline series. */
  data_source_id?: string | undefined
  value_field?: string | undefined
  frequency: Frequency
  aggregation: Aggregation
}

/** Identifies what a recommendation is about, in whichever run: the kind and the group. */
export function fingerprintOf(kind: RecommendationKind, origin: SeriesOrigin, key: SeriesKey): string {
  const { data_source_id: source = null, value_field: value = null, frequency, aggregation } = origin
  const fields = Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([kind, source, value, frequency, aggregation, fields]))
    .digest('base64url')
}
