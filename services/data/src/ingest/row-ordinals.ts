/** Counts equal rows, so that each of them can be a record of its own. */
export interface RowOrdinals {
  /**
   * Returns how often a row has occurred, including this time.
   * @param contentHash at least 16 hexadecimal digits
   */
  next(contentHash: string): number
}

/** Words of a slot: two halves of a hash, and the number of rows with it; 0 marks a free slot. */
const slotWords = 3
const initialSlots = 1_024
const maxSlots = 2 ** 24
/** Largest number of different rows; their table takes 192 MiB. */
export const maxDifferentRows = (maxSlots / 4) * 3

/**
 * Creates a table of 8-byte hashes with open addressing. It takes 16 to 32 bytes for each different row, outside of the
 * heap of JavaScript. Rows whose hashes collide share a count, which gives a row a higher number but loses none.
 *
 * @param createFailure creates the error of a row beyond `maxDifferentRows`
 */
export function createRowOrdinals(createFailure: () => Error): RowOrdinals {
  let table = new Uint32Array(initialSlots * slotWords)
  let rows = 0

  function grow(): void {
    const slots = table.length / slotWords
    if (slots === maxSlots) throw createFailure()
    const larger = new Uint32Array(2 * table.length)
    for (let at = 0; at < table.length; at += slotWords) {
      const count = table[at + 2] ?? 0
      if (count === 0) continue
      const [high, low] = [table[at] ?? 0, table[at + 1] ?? 0]
      larger.set([high, low, count], findSlot(larger, high, low))
    }
    table = larger
  }

  return {
    next(contentHash) {
      const high = Number.parseInt(contentHash.slice(0, 8), 16)
      const low = Number.parseInt(contentHash.slice(8, 16), 16)
      const at = findSlot(table, high, low)
      const count = (table[at + 2] ?? 0) + 1
      if (count > 1) {
        table[at + 2] = count
        return count
      }
      table.set([high, low, 1], at)
      rows++
      if (rows * slotWords >= (table.length / 4) * 3) grow()
      return 1
    },
  }
}

/** Returns the offset of the slot of a hash, or of the free slot for it. */
function findSlot(table: Uint32Array, high: number, low: number): number {
  // The number of slots is a power of two.
  const mask = table.length / slotWords - 1
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = slot * slotWords
    if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at
  }
}
