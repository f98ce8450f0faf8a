/** A stream of random numbers that a seed determines. */
export interface Random {
  /** Returns a number from 0 to less than 1. */
  share(): number
  /** Returns a whole number from 0 to less than `limit`. */
  below(limit: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
}

/** Creates a stream by mulberry32, which is small and good enough for a sample. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    share,
    below: (limit) => Math.floor(share() * limit),
    chance: (probability) => share() < probability,
  }
}
