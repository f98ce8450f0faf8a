/**
 * A stream of random integers, by Chris Doty-Humphrey's sfc32 with 128 bits of state. The same seed and path give the
 * same numbers on every machine; each path, such as `[days, 17]`, gives a stream of its own.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, stream: number, index = 0) {
    this.#a = seed | 0
    this.#b = Math.imul(stream + 1, 0x9e3779b1)
    this.#c = index | 0
    for (let round = 0; round < 16; round += 1) this.next()
  }

  /** Returns a whole number from 0 to 2³² − 1. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** Returns a whole number from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 2 ** 32) * limit)
  }

  /** Returns a whole number from `min` to `max`, those near the middle more often. */
  around(min: number, max: number): number {
    return min + ((this.below(max - min + 1) + this.below(max - min + 1)) >> 1)
  }

  /** Returns true with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32
  }
}

/** The streams of a company. Days draw their own numbers, so that a generator can begin with any of them. */
export const streams = { people: 1, attendance: 2, teams: 3, bookings: 4, counts: 5, series: 6 } as const
