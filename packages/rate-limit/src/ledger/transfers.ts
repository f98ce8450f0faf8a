import { apportion } from './apportion.ts'

/** The unspent quota of one edge for a key, and the requests a minute it has received lately. */
export interface QuotaShare {
  unspent: number
  ratePerMinute: number
}

/** Share of the total rate that edges without requests weigh together, so that their first request is admitted. */
const reserveFraction = 0.05

/** A transfer arrives after two publications; until then an edge needs the requests of about one second. */
const horizonMinutes = 1 / 60
const minUnspent = 4

/** Returns true if an edge has too little quota left for the requests it receives. */
export const needsQuota = ({ unspent, ratePerMinute }: QuotaShare): boolean =>
  unspent < Math.max(minUnspent, ratePerMinute * horizonMinutes)

/**
 * Plans what one edge transfers to each of the others, so that the unspent quota is where the requests are. No edge
 * transfers while none needs quota. Otherwise each edge that has more than its target transfers the surplus to those
 * below theirs. Edges with the same view plan transfers that add up, so no request and no coordinator is needed.
 *
 * @param shares all edges, in the order all of them use
 * @param giver index of the edge that plans
 * @param turn decides ties, see `apportion`
 * @returns units for each edge of `shares`
 */
export function planTransfers(shares: readonly QuotaShare[], giver: number, turn: number): number[] {
  const none = () => shares.map(() => 0)
  if (!shares.some((share, index) => index !== giver && needsQuota(share))) return none()
  const total = shares.reduce((sum, { unspent }) => sum + unspent, 0)
  const targets = apportion(total, targetWeights(shares), turn)
  const targetOf = (index: number) => targets[index] ?? 0
  const isBelowTarget = (share: QuotaShare, index: number) =>
    index !== giver && needsQuota(share) && share.unspent < targetOf(index)
  if (!shares.some(isBelowTarget)) return none()
  const deficits = shares.map(({ unspent }, index) => (index === giver ? 0 : Math.max(0, targetOf(index) - unspent)))
  const deficit = deficits.reduce((sum, units) => sum + units, 0)
  const surplus = (shares[giver]?.unspent ?? 0) - targetOf(giver)
  return surplus <= 0 || deficit === 0 ? none() : apportion(Math.min(surplus, deficit), deficits, turn)
}

function targetWeights(shares: readonly QuotaShare[]): number[] {
  const totalRate = shares.reduce((sum, { ratePerMinute }) => sum + ratePerMinute, 0)
  const minWeight = (reserveFraction * totalRate) / shares.length
  return shares.map(({ ratePerMinute }) => Math.max(ratePerMinute, minWeight))
}
