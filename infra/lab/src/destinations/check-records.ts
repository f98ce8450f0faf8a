/** A record as a destination holds it. */
export interface HeldRecord {
  seq: number
  /** Names the record that was published, whatever position it got. */
  mark: string
}

export interface CheckedRecords {
  /** Different positions that the destination holds. */
  records: number
  /** Positions after the first one that the destination does not hold. */
  gaps: number
  /** Published records that the destination does not hold at any position. */
  lost: number
  /** Positions that were first written after a higher one. */
  outOfOrder: number
  /** Records beyond the first of each position. */
  repeated: number
  /** Positions under which different records were written. */
  contradictions: number
}

/**
 * Checks the records of one destination.
 * @param held in the order in which they were written
 * @param start the position before the first record
 * @param published the marks of all records that were published
 */
export function checkRecords(
  held: readonly HeldRecord[],
  start: number,
  published: ReadonlySet<string>,
): CheckedRecords {
  const marks = new Map<number, string>()
  const contradictory = new Set<number>()
  let highest = start
  let outOfOrder = 0
  for (const { seq, mark } of held) {
    const before = marks.get(seq)
    if (before !== undefined && before !== mark) contradictory.add(seq)
    if (before !== undefined) continue
    marks.set(seq, mark)
    if (seq < highest) outOfOrder += 1
    highest = Math.max(highest, seq)
  }
  const found = new Set(marks.values())
  return {
    records: marks.size,
    gaps: highest - start - marks.size,
    lost: [...published].filter((mark) => !found.has(mark)).length,
    outOfOrder,
    repeated: held.length - marks.size,
    contradictions: contradictory.size,
  }
}

export const isComplete = ({ gaps, lost, outOfOrder, contradictions }: CheckedRecords): boolean =>
  gaps === 0 && lost === 0 && outOfOrder === 0 && contradictions === 0
