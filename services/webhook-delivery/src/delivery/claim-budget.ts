/** Attempts of a process: its limit, and those in flight. */
export interface ClaimCapacity {
  concurrency: number
  /** Attempts that can be started. */
  free: number
  /** Attempts in flight at endpoints whose last attempt failed. */
  failing: number
}

export interface ClaimBudget {
  free: number
  includesFailing: boolean
}

/** A smaller budget is not worth a claim: near the limit of failing endpoints, claims would shrink to single rows. */
const minClaimSize = 32

/**
 * Computes the size of the next claim. Endpoints whose last attempt failed may hang again, so they never get more than
 * half of the concurrency; the rest is for healthy endpoints. A claim that includes failing endpoints may find no others,
 * so it is limited to the rest of their half.
 */
export function computeClaimBudget({ concurrency, free, failing }: ClaimCapacity): ClaimBudget {
  const remaining = Math.ceil(concurrency / 2) - failing
  return remaining >= Math.min(minClaimSize, Math.ceil(concurrency / 4))
    ? { free: Math.min(free, remaining), includesFailing: true }
    : { free, includesFailing: false }
}
