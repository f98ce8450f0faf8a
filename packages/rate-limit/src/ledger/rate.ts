/** Time constant of the decay: the last few seconds predict the next ones, a single second is too noisy. */
const timeConstantMs = 3000

/** Returns a rate after `elapsedMs` without a request. */
export const decayRate = (ratePerMinute: number, elapsedMs: number): number =>
  ratePerMinute * Math.exp(-Math.max(0, elapsedMs) / timeConstantMs)

/** Returns the rate in requests per minute after `requests` more; an exponentially weighted moving rate. */
export const addToRate = (ratePerMinute: number, elapsedMs: number, requests: number): number =>
  decayRate(ratePerMinute, elapsedMs) + (requests * 60_000) / timeConstantMs
