/**
 * Splits whole units by weight: each gets the whole part of what is due to it, and what is left goes, one unit each, to
 * those with the largest fractions (Hamilton's method), ties beginning at `turn`. Nothing is lost and nothing made.
 * Without any weight everybody weighs the same.
 */
export function apportion(units: number, weights: readonly number[], turn: number): number[] {
  const parties = weights.length
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const due = weights.map((weight) => (sum > 0 ? (units * weight) / sum : units / parties))
  const parts = due.map(Math.floor)
  const fraction = (at: number) => (due[at] ?? 0) - (parts[at] ?? 0)
  const order = [...parts.keys()].sort(
    (a, b) => fraction(b) - fraction(a) || ((a + turn) % parties) - ((b + turn) % parties),
  )
  let left = units - parts.reduce((total, part) => total + part, 0)
  // floating point can leave one too few or one too many of very large numbers
  for (let next = 0; left !== 0 && parties > 0; next = (next + 1) % parties) {
    const step = Math.sign(left)
    const at = order[step > 0 ? next : parties - 1 - next] ?? 0
    if (step < 0 && parts[at] === 0) continue
    parts[at] = (parts[at] ?? 0) + step
    left -= step
  }
  return parts
}

/** What one of several has of a key: what it may still admit, and how many requests a minute have come to it lately. */
export interface QuotaShare {
  unspent: number
  rate: number
}

/** What those to whom nothing comes weigh together, so that the first request that does is not refused. */
const reserveFraction = 0.05

/** Who has not enough for so long is in want, for it takes two exchanges to be given something; or who has hardly any. */
const horizonMinutes = 1 / 60
const minUnspent = 4

/** Whether somebody has hardly anything left for the requests that come to it. */
export const needsQuota = ({ unspent, rate }: QuotaShare): boolean =>
  unspent < Math.max(minUnspent, rate * horizonMinutes)

/**
 * What one holder gives to each of the others, so that what remains is where the requests are. Nobody gives while nobody
 * is in want; then each who has more than its part of what remains gives the surplus to those who have less than theirs.
 * All who see the same come to parts that add up, so no request is needed: what is given is counted off before it is said.
 */
export function planTransfers(holders: readonly QuotaShare[], giver: number, turn: number): number[] {
  const nothing = () => holders.map(() => 0)
  if (!holders.some((holder, at) => at !== giver && needsQuota(holder))) return nothing()
  const total = holders.reduce((sum, { unspent }) => sum + unspent, 0)
  const floor = (reserveFraction * holders.reduce((sum, { rate }) => sum + rate, 0)) / holders.length
  const weights = holders.map(({ rate }) => Math.max(rate, floor))
  const targets = apportion(total, weights, turn)
  const target = (at: number) => targets[at] ?? 0
  const isDue = (holder: QuotaShare, at: number) => at !== giver && needsQuota(holder) && holder.unspent < target(at)
  if (!holders.some(isDue)) return nothing()
  const lacking = holders.map(({ unspent }, at) => (at === giver ? 0 : Math.max(0, target(at) - unspent)))
  const lack = lacking.reduce((sum, units) => sum + units, 0)
  const surplus = (holders[giver]?.unspent ?? 0) - target(giver)
  return surplus <= 0 || lack === 0 ? nothing() : apportion(Math.min(surplus, lack), lacking, turn)
}

/** What came before the last few seconds says little about what comes next; what comes in one says little, too. */
const rateDecayMs = 3000

/** A rate as it is after so long without a request. */
export const decay = (rate: number, elapsedMs: number): number => rate * Math.exp(-Math.max(0, elapsedMs) / rateDecayMs)

/** Requests a minute, lately: each request counts fully when it comes and fades. */
export const addToRate = (rate: number, elapsedMs: number, requests: number): number =>
  decay(rate, elapsedMs) + (requests * 60_000) / rateDecayMs
