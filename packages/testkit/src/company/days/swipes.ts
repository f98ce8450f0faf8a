import { entryTwice, exitSwiped, exitTwice, lost, type Stays } from './stays.ts'

/** The swipes of a day in the order of time, in typed arrays that grow and are used again. */
export interface Swipes {
  length: number
  person: Uint32Array
  reader: Uint32Array
  /** Seconds of the local day. */
  second: Uint32Array
  /** 1 for an exit, 0 for an entry. */
  isExit: Uint8Array
}

/** Beyond the number of swipes of a day, so that a second and a position fit into one sortable number. */
const positions = 2 ** 32

/** Creates a function that turns the stays of a day into swipes; the result is valid until the next call. */
export function createSwipeReader(): (stays: Stays) => Swipes {
  let keys = new Float64Array(1_024)
  let swipes = allocate(1_024)
  return (stays) => {
    // At most four swipes a stay: entry and exit, both twice.
    if (keys.length < stays.length * 4) {
      keys = new Float64Array(stays.length * 4)
      swipes = allocate(stays.length * 4)
    }
    const length = collectKeys(stays, keys)
    const sorted = keys.subarray(0, length).sort()
    for (let index = 0; index < length; index += 1) {
      const key = sorted[index] ?? 0
      const second = Math.floor(key / positions)
      const position = key - second * positions
      const stay = Math.floor(position / 4)
      swipes.person[index] = stays.person[stay] ?? 0
      swipes.reader[index] = stays.reader[stay] ?? 0
      swipes.second[index] = second
      swipes.isExit[index] = position % 4 >= 2 ? 1 : 0
    }
    swipes.length = length
    return swipes
  }
}

const allocate = (size: number): Swipes => ({
  length: 0,
  person: new Uint32Array(size),
  reader: new Uint32Array(size),
  second: new Uint32Array(size),
  isExit: new Uint8Array(size),
})

/** Writes a key for each recorded swipe: its second, and four times the stay plus 0 or 1 (entry), 2 or 3 (exit). */
function collectKeys({ length, from, to, flags }: Stays, keys: Float64Array): number {
  let count = 0
  for (let stay = 0; stay < length; stay += 1) {
    const own = flags[stay] ?? 0
    if (own & lost) continue
    const entry = (from[stay] ?? 0) * positions + stay * 4
    keys[count++] = entry
    if (own & entryTwice) keys[count++] = entry + 1
    if (!(own & exitSwiped)) continue
    const exit = (to[stay] ?? 0) * positions + stay * 4 + 2
    keys[count++] = exit
    if (own & exitTwice) keys[count++] = exit + 1
  }
  return count
}
