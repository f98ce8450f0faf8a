/** Bounds of what one search reads. */
export interface SearchLimits {
  /** Number of records that are read to fill or order a page: the best matches, or the newest records. */
  maxExaminedRecords: number
  /** Number of records whose values facets count. */
  maxFacetRecords: number
}

export const searchLimits: SearchLimits = { maxExaminedRecords: 100_000, maxFacetRecords: 10_000 }
