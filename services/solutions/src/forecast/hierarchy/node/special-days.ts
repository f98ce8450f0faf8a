import { dayOf, daysAfterMonday } from '../../../workplace/local-days.ts'
import type { Holiday } from '../../time/public-holidays.ts'
import type { HierarchyNode } from '../shapes.ts'
import type { Tree } from '../tree.ts'

/** Days since 1970-01-01 that differ from others, with the names of their effects, the most general one first. */
export type SpecialDays = ReadonlyMap<number, readonly string[]>

/**
 * Returns the effects of holidays on each day: each holiday is one by itself and one of all; the Monday before and the
 * Friday after one are bridge days, and so are the workdays from 24 to 31 December.
 */
export function specialDaysOf(holidays: readonly Holiday[]): SpecialDays {
  const names = new Map<number, string[]>()
  for (const { date, name } of holidays) {
    const day = dayOf(date)
    const known = names.get(day) ?? ['holiday']
    if (!known.includes(name)) known.push(name)
    names.set(day, known)
  }
  const listed = [...names.keys()]
  for (const day of listed) {
    const bridge = { 1: day - 1, 3: day + 1 }[daysAfterMonday(day)]
    if (bridge !== undefined && !names.has(bridge)) names.set(bridge, ['bridge'])
  }
  for (const day of yearEnds(listed)) if (daysAfterMonday(day) < 5 && !names.has(day)) names.set(day, ['year_end'])
  return names
}

/** Returns 24 to 31 December of the years that have holidays. */
function yearEnds(days: readonly number[]): number[] {
  const years = new Set(days.map((day) => new Date(day * 86_400_000).getUTCFullYear()))
  return [...years].flatMap((year) => {
    const christmasEve = Date.UTC(year, 11, 24) / 86_400_000
    return Array.from({ length: 8 }, (_, index) => christmasEve + index)
  })
}

/** Returns the holidays of each node: its own, those of its parent, or those of its children. */
export function inheritHolidays(nodes: readonly HierarchyNode[], { parents, children, bottomUp }: Tree): Holiday[][] {
  const own = nodes.map(({ holidays }) => (holidays === undefined ? undefined : [...holidays]))
  const found: (Holiday[] | undefined)[] = [...own]
  for (const number of bottomUp.toReversed()) found[number] ??= found[parents[number] ?? -1]
  for (const number of bottomUp) {
    if (found[number] !== undefined) continue
    const below = (children[number] ?? []).flatMap((child) => found[child] ?? [])
    if (below.length > 0) found[number] = below
  }
  return found.map((holidays) => holidays ?? [])
}
