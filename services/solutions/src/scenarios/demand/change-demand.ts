import type { ScenarioInput, ScenarioTeam } from '../scenario-input.ts'

/** Of a fixed day, the share of members who do not come all the same: leave, illness, travel. */
export const absentShare = 0.1

/**
 * Returns the people of a team who are present, after the changes of a scenario, at `day * pathCount + path`.
 *
 * First the headcount: the attendance grows with it. Then the week: with a minimum of days, the attendance of each day
 * is raised by one factor so that its mean by week is the headcount times the minimum. Fixed days have all members but
 * for those who are absent in any case; the other days share what is left of the week in the proportions that they had.
 * Staggered days have the same mean. Each day keeps its spread around the mean, and none
 * has more than the headcount: paths of a team with a short history reach far beyond.
 */
export function changeDemand(
  { paths, headcount, growth, attendance }: ScenarioTeam,
  { weekdays, weekdayOf, pathCount }: Pick<ScenarioInput, 'weekdays' | 'weekdayOf' | 'pathCount'>,
): Float32Array {
  const isRuled =
    attendance.minDays !== undefined || (attendance.fixedDays ?? []).length > 0 || attendance.stagger === true
  const members = headcount === null ? null : headcount * growth
  const before = meansByWeekday(paths, weekdayOf, weekdays.length, pathCount)
  if (!isRuled) {
    // A headcount below the usual attendance is out of date.
    const isKnown = members !== null && before.every((mean) => mean * growth <= members)
    return paths.map((people) => Math.min(people * growth, isKnown ? members : Number.POSITIVE_INFINITY))
  }
  const after = changedMeans(
    before.map((mean) => mean * growth),
    members,
    attendance,
  )
  return paths.map((people, at) => {
    const weekday = weekdayOf[Math.floor(at / pathCount)] ?? -1
    const mean = before[weekday] ?? 0
    if (weekday < 0 || mean <= 0) return people * growth
    const changed = (people * (after[weekday] ?? 0)) / mean
    return members === null ? changed : Math.min(changed, members)
  })
}

function changedMeans(means: number[], members: number | null, rule: ScenarioTeam['attendance']): number[] {
  let changed = means
  const total = () => changed.reduce((sum, mean) => sum + mean, 0)
  if (rule.minDays !== undefined && members !== null && total() > 0 && total() < rule.minDays * members)
    changed = raiseTo(changed, rule.minDays * members, members)
  if (rule.fixedDays !== undefined && rule.fixedDays.length > 0 && members !== null) {
    const full = members * (1 - absentShare)
    const isFixed = (weekday: number) => rule.fixedDays?.includes(weekday) === true
    const left = Math.max(0, total() - full * rule.fixedDays.length)
    const others = changed.reduce((sum, mean, weekday) => sum + (isFixed(weekday) ? 0 : mean), 0)
    changed = changed.map((mean, weekday) => (isFixed(weekday) ? full : others === 0 ? 0 : (mean / others) * left))
  }
  if (rule.stagger === true) changed = changed.map(() => total() / changed.length)
  return changed
}

/** Multiplies means so that they add up to a total, none above the members; what that cuts off goes to the others. */
function raiseTo(means: readonly number[], total: number, members: number): number[] {
  const result = means.slice()
  for (let round = 0; round < means.length; round++) {
    const free = result.filter((mean) => mean < members)
    const sum = free.reduce((all, mean) => all + mean, 0)
    const missing = total - result.reduce((all, mean) => all + mean, 0)
    if (missing < 1e-9 || sum === 0) break
    for (const [at, mean] of result.entries())
      if (mean < members) result[at] = Math.min(members, mean * (1 + missing / sum))
  }
  return result
}

/** Returns the mean of each weekday over its days and all paths. */
export function meansByWeekday(
  values: Float32Array,
  weekdayOf: readonly number[],
  weekdays: number,
  pathCount: number,
): number[] {
  const sums = new Array<number>(weekdays).fill(0)
  const counts = new Array<number>(weekdays).fill(0)
  for (const [at, value] of values.entries()) {
    const weekday = weekdayOf[Math.floor(at / pathCount)] ?? -1
    if (weekday < 0) continue
    sums[weekday] = (sums[weekday] ?? 0) + value
    counts[weekday] = (counts[weekday] ?? 0) + 1
  }
  return sums.map((sum, weekday) => (counts[weekday] === 0 ? 0 : sum / (counts[weekday] ?? 1)))
}
