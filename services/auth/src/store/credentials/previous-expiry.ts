/** A secret that a rotation has replaced. */
export interface ReplacedSecret {
  expiresAt: Date
}

/**
 * Returns when the secret before the current one stops working; null if it already has.
 * @param replaced all earlier secrets; the last one has the latest expiry
 * @param overlapSeconds the overlap of the rotation
 */
export const previousExpiry = (replaced: readonly ReplacedSecret[], overlapSeconds: number): Date | null =>
  overlapSeconds === 0 ? null : new Date(Math.max(...replaced.map(({ expiresAt }) => expiresAt.getTime())))
