/** How many attempts a process has under way, and can. */
export interface ClaimCapacity {
  concurrency: number
  /** Not taken. */
  free: number
  /** Taken by endpoints whose last attempt failed. */
  failing: number
}

/** Fewer than this are not worth a claim of their own: they would make claims small while it is full of suspects. */
const minClaimSize = 32

/**
 * What the next claim may take. Endpoints whose last attempt failed, and which may hang again, get half of the room and
 * never more: the other half is for first attempts at those that are well. A claim takes what it finds of both, so one
 * that may take suspects takes no more than is left of their half.
 */
export function computeClaimBudget({ concurrency, free, failing }: ClaimCapacity): {
  free: number
  includesFailing: boolean
} {
  const remaining = Math.ceil(concurrency / 2) - failing
  return remaining >= Math.min(minClaimSize, Math.ceil(concurrency / 4))
    ? { free: Math.min(free, remaining), includesFailing: true }
    : { free, includesFailing: false }
}
