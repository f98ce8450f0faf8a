import type { Company } from '../model/company.ts'
import { Random, streams } from '../random.ts'
import type { CompanyDay } from './generate-days.ts'

/** Minutes between two rows of a counter, and the first and last row of a day. */
export const countInterval = 15
export const [firstCount, lastCount] = [360, 1380] as const

export interface DayCounts {
  /** Passages of the door in the interval that begins at each row. */
  in: number[]
  out: number[]
  /** People whom the camera sees at the time of each row. */
  level: number[]
}

/** Passages that the door counter does not see. It misses more exits, so its level drifts up until the night. */
const missed = { in: 0.006, out: 0.015 }

/** Returns the time of each row of a day, in minutes. */
export const countTimes: readonly number[] = Array.from(
  { length: (lastCount - firstCount) / countInterval + 1 },
  (_, row) => firstCount + row * countInterval,
)

/**
 * Returns the rows of both counters of a day. The door counter and the camera each watch a floor and what is on it, and
 * see people also when those forget to swipe or the badge reader is broken. A broken camera stays at 0.
 */
export function countDay(company: Company, { day, stays }: CompanyDay): DayCounts {
  const random = new Random(company.options.seed, streams.counts, day)
  const counts: DayCounts = {
    in: countTimes.map(() => 0),
    out: countTimes.map(() => 0),
    level: countTimes.map(() => 0),
  }
  const changes = countTimes.map(() => 0)
  const { brokenCamera, doorCounter, camera } = company
  const isBroken = brokenCamera !== undefined && day >= brokenCamera.from && day < brokenCamera.until
  for (let stay = 0; stay < stays.length; stay += 1) {
    const space = stays.space[stay] ?? -1
    const [from, to] = [stays.from[stay] ?? 0, stays.to[stay] ?? 0]
    if (isWithin(company, space, doorCounter)) {
      if (!random.chance(missed.in)) addTo(counts.in, intervalOf(from))
      if (!random.chance(missed.out)) addTo(counts.out, intervalOf(to))
    }
    if (!isBroken && isWithin(company, space, camera)) {
      // Seen at each row from the entry on and before the exit.
      addTo(changes, rowFrom(from), 1)
      addTo(changes, rowFrom(to), -1)
    }
  }
  let level = 0
  for (const [row, change] of changes.entries()) {
    level += change
    counts.level[row] = level
  }
  return counts
}

const isWithin = ({ spaces }: Company, space: number, floor: number) =>
  space === floor || spaces[space]?.parent === floor

const clamp = (row: number) => Math.max(0, Math.min(countTimes.length - 1, row))
const intervalOf = (second: number) => clamp(Math.floor((second / 60 - firstCount) / countInterval))
const rowFrom = (second: number) => Math.max(0, Math.ceil((second / 60 - firstCount) / countInterval))

function addTo(rows: number[], row: number, change = 1): void {
  // A change after the last row of the day is not seen.
  if (row < rows.length) rows[row] = (rows[row] ?? 0) + change
}
