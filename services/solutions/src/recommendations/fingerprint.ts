import { createHash } from 'node:crypto'
import { valueFieldKey } from '@wp/contracts'
import type { Aggregation, Frequency, SeriesKey } from '../forecast/shapes.ts'
import type { RecommendationKind } from './recommendation.ts'

/** The origin of the series of a run. Groups with one key are the same group if it is equal. */
interface SeriesOrigin {
  /** Undefined for inline series. */
  data_source_id?: string | undefined
  /** Of several columns, the key of a series names its own. */
  value_field?: string | readonly string[] | undefined
  frequency: Frequency
  aggregation: Aggregation
}

/** Identifies what a recommendation is about, in whichever run: the kind and the group. */
export function fingerprintOf(kind: RecommendationKind, origin: SeriesOrigin, key: SeriesKey): string {
  const { data_source_id: source = null, value_field: columns = null, frequency, aggregation } = origin
  const value = typeof columns === 'string' || columns === null ? columns : (key[valueFieldKey] ?? null)
  const fields = Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1))
  return digest([kind, source, value, frequency, aggregation, fields])
}

/** Identifies the recommendation to close floors of a site, in whichever run. */
export const siteFingerprint = (spaceId: string): string => digest(['consolidation', 'workplace', spaceId])

const digest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
