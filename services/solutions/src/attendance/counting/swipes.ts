import type { FactTable } from './facts.ts'
import type { MappedFacts } from './measures.ts'

export interface Swipe {
  space: number
  /** Since midnight; -1 for an entry of a list, which has no time. */
  second: number
  direction: number
}

/** Groups the rows of all datasets by person, in the order of their times. */
export function* swipesByPerson(
  badges: readonly MappedFacts[],
  lists: readonly MappedFacts[],
): Generator<{ person: number; swipes: Swipe[] }> {
  const cursors = [
    ...badges.map(({ table, spaceOf }) => ({ table, spaceOf, at: 0, hasTimes: true })),
    ...lists.map(({ table, spaceOf }) => ({ table, spaceOf, at: 0, hasTimes: false })),
  ]
  while (true) {
    let person = Number.POSITIVE_INFINITY
    for (const { table, at } of cursors) person = Math.min(person, personAt(table, at))
    if (person === Number.POSITIVE_INFINITY) return
    const swipes: Swipe[] = []
    for (const cursor of cursors) {
      const [, spaces, , seconds, directions] = cursor.table.columns
      for (; personAt(cursor.table, cursor.at) === person; cursor.at++) {
        const { at, hasTimes } = cursor
        const space = cursor.spaceOf.get(spaces?.[at] ?? -1) ?? -1
        const second = hasTimes ? (seconds?.[at] ?? 0) : -1
        if (space >= 0) swipes.push({ space, second, direction: hasTimes ? (directions?.[at] ?? 0) : 0 })
      }
    }
    if (swipes.length > 0) yield { person, swipes: swipes.sort(byTime) }
  }
}

const personAt = ({ columns: [people], counts }: FactTable, at: number): number =>
  at < counts.length ? (people?.[at] ?? -1) : Number.POSITIVE_INFINITY

const byTime = (a: Swipe, b: Swipe): number => a.second - b.second || a.space - b.space || a.direction - b.direction

export const leaves = ({ direction }: Swipe): boolean => direction === 2

/**
 * Orders swipes of the same time, which many systems write to the minute: who is in leaves before entering elsewhere,
 * and who is out enters before leaving.
 */
export function* inOrder(swipes: readonly Swipe[]): Generator<Swipe> {
  let isIn = false
  for (let at = 0; at < swipes.length; ) {
    const time = swipes[at]?.second
    const waiting: Swipe[] = []
    for (; swipes[at]?.second === time && at < swipes.length; at++) waiting.push(...swipes.slice(at, at + 1))
    while (waiting.length > 0) {
      const next = waiting.findIndex((swipe) => leaves(swipe) === isIn)
      const [swipe] = waiting.splice(Math.max(0, next), 1)
      if (swipe === undefined) break
      isIn = !leaves(swipe)
      yield swipe
    }
  }
}

/** The space where each person is at a midnight. */
export type NightStays = ReadonlyMap<number, number>

const hour = 3_600
const day = 24 * hour
/** A shift of 12 hours with its handover. */
const maxNightSeconds = 14 * hour
/** Longer than this, who comes in again has been away: between two shifts there are 11 hours. */
const maxEntryGapSeconds = 8 * hour

/**
 * Finds who stayed over the midnight between two days: whose last swipe of a day does not leave and whose next one
 * leaves within 14 hours, or comes within 8 and is followed by one that leaves within the 14.
 */
export function findNightStays(before: readonly MappedFacts[], after: readonly MappedFacts[]): NightStays {
  /** The earliest time of the last swipe before midnight, from midnight. */
  const earliestOf = new Map<number, number>()
  for (const { person, swipes } of swipesByPerson(after, [])) {
    const exit = swipes.find(leaves)
    if (exit === undefined || exit.second >= maxNightSeconds) continue
    const next = swipes[0]?.second ?? 0
    const earliest = Math.max(exit.second - maxNightSeconds, exit.second > next ? next - maxEntryGapSeconds + 1 : -day)
    if (earliest < 0) earliestOf.set(person, earliest)
  }
  const stays = new Map<number, number>()
  if (earliestOf.size === 0) return stays
  for (const { person, swipes } of swipesByPerson(before, [])) {
    const earliest = earliestOf.get(person)
    if (earliest === undefined) continue
    const last = [...inOrder(swipes)].at(-1)
    if (last !== undefined && !leaves(last) && last.second - day >= earliest) stays.set(person, last.space)
  }
  return stays
}
