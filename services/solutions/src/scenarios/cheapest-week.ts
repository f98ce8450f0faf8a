import { type FloorSearch, shareOf } from './close-floors.ts'
import type { KeptDays } from './result/simulate.ts'

/** More floors have too many sets to try them all. */
export const maxTriedFloors = 8

interface Choice {
  cost: number
  kept: number
  open: boolean[][]
  week: KeptDays[]
}

/**
 * Returns the floors to open on each weekday at the lowest cost of all sets of floors that keep the service level; of
 * equal costs those of the fewest floors, so that others close all week.
 * @returns null if there are too many sets, none keeps it, or the time ends
 */
export function cheapestWeek({ mayOpen, costs, isKept, ...search }: FloorSearch, isFewest = false): Choice | null {
  if (costs.length > maxTriedFloors) return null
  // Of sets that cost the same, that of fewer floors, and the same one on all weekdays.
  const tie = (Math.max(...costs, 0) + 1) * 1e-9
  const sets = Array.from({ length: 2 ** costs.length }, (_, mask) => {
    const open = costs.map((_cost, floor) => ((mask >> floor) & 1) === 1)
    const cost = costs.reduce((sum, each, at) => sum + (open[at] ? each + tie * (1 + at / costs.length) : 0), 0)
    return { mask, open, cost, count: open.filter(Boolean).length }
  }).sort((one, other) => one.cost - other.cost)
  const simulated = mayOpen.map(() => new Map<number, KeptDays>())
  /** Returns the best choice among some floors, a bit of `among` each. */
  const cheapestAmong = (among: number): Choice | null => {
    let weeks: Choice[] = [{ cost: 0, kept: 0, open: [], week: [] }]
    for (const [weekday, allowed] of mayOpen.entries()) {
      const days: { cost: number; open: boolean[]; day: KeptDays }[] = []
      let least = search.leastOf(weekday)
      for (const { mask, open, cost } of sets) {
        if ((mask & ~among) !== 0 || open.some((isOpen, floor) => isOpen && !allowed[floor])) continue
        if (!search.hasTime()) return null
        const day = simulated[weekday]?.get(mask) ?? search.dayOf(weekday, open, search.leastOf(weekday))
        simulated[weekday]?.set(mask, day)
        const share = shareOf(day)
        // A set that costs more must keep more.
        if (share < least || (days.length > 0 && share === least)) continue
        least = share
        days.push({ cost, open, day })
        if (share === 1) break
      }
      if (!search.hasTime()) return null
      weeks = withoutWorse(
        weeks.flatMap(({ cost, kept, open, week }) =>
          days.map((one) => ({
            cost: cost + one.cost,
            kept: kept + one.day.kept,
            open: [...open, one.open],
            week: [...week, one.day],
          })),
        ),
      )
    }
    return weeks.find(({ week }) => isKept(week)) ?? null
  }
  if (isFewest) {
    const counts = costs.map((_, at) => at + 1)
    for (const count of counts) {
      const found = sets.flatMap((set) => (set.count === count ? (cheapestAmong(set.mask) ?? []) : []))
      if (!search.hasTime()) return null
      if (found.length > 0) return found.reduce((best, one) => (one.cost < best.cost ? one : best))
    }
  }
  const cheapest = cheapestAmong(2 ** costs.length - 1)
  if (cheapest === null) return null
  const used = costs.filter((_, floor) => cheapest.open.some((ofDay) => ofDay[floor])).length
  for (const { mask } of sets.filter(({ count }) => count < used).sort((one, other) => one.count - other.count)) {
    const fewer = cheapestAmong(mask)
    if (fewer !== null && fewer.cost <= cheapest.cost + 1e3 * tie) return fewer
  }
  return cheapest
}

/** Returns the choices by cost, without those that keep no more days than a cheaper one. */
function withoutWorse(choices: Choice[]): Choice[] {
  let most = -1
  return choices
    .sort((one, other) => one.cost - other.cost || other.kept - one.kept)
    .filter(({ kept }) => {
      if (kept <= most) return false
      most = kept
      return true
    })
}
