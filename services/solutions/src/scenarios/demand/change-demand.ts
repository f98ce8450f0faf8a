import type { ScenarioInput, ScenarioTeam } from '../scenario-input.ts'

/** Of a fixed day, the share of members who do not come all the same: leave, illness, travel. */
export const absentShare = 0.1

/**
 * Returns the people of a team who are present, after the changes of a scenario, at `day * pathCount + path`.
 *
 * First the headcount: the attendance grows with it. Then the week: with a minimum of days, the attendance of each day
 * is raised by one factor so that its mean by week is the headcount times the minimum. Fixed days have all members but
 * for those who are absent in any case, and no fewer than came before; the other days share what is left of the week in
 * the proportions that they had. Staggered days have the same mean. Each day keeps its spread around the mean, and none
 * has more than the headcount: paths of a team with a short history reach far beyond.
 */
export function changeDemand(
  { paths, headcount, growth, attendance }: ScenarioTeam,
  { weekdays, weekdayOf, pathCount }: Pick<ScenarioInput, 'weekdays' | 'weekdayOf' | 'pathCount'>,
): Float32Array {
  const meansOf = (values: Float32Array) => meansByWeekday(values, weekdayOf, weekdays.length, pathCount)
  const before = meansOf(paths).map((mean) => mean * growth)
  const members = headcount === null ? null : headcount * growth
  // A headcount below the usual attendance is out of date.
  const most = members !== null && before.every((mean) => mean <= members) ? members : Number.POSITIVE_INFINITY
  const capped = (factorOf: (weekday: number) => number) =>
    paths.map((people, at) => Math.min(most, people * growth * factorOf(weekdayOf[Math.floor(at / pathCount)] ?? -1)))
  if (!isRuled(attendance)) return capped(() => 1)
  const after = changedMeans(before, members === null ? null : Math.max(members, ...before), attendance)
  const ratios = after.map((mean, weekday) => ((before[weekday] ?? 0) > 0 ? mean / (before[weekday] ?? 1) : 1))
  const changed = capped((weekday) => ratios[weekday] ?? 1)
  return addMissing(changed, {
    means: meansOf(changed),
    after,
    most,
    weekdayAt: (at) => weekdayOf[Math.floor(at / pathCount)] ?? -1,
  })
}

/** Returns true if a rule changes on which days people come. */
export const isRuled = ({ minDays, fixedDays, stagger }: ScenarioTeam['attendance']): boolean =>
  minDays !== undefined || (fixedDays ?? []).length > 0 || stagger === true

interface MissingPeople {
  /** Means by weekday, of the values and of what they are to be. */
  means: readonly number[]
  after: readonly number[]
  /** The members; infinite if they are not known. */
  most: number
  weekdayAt: (at: number) => number
}

/**
 * Raises values to the means that a factor does not reach: of weekdays on which no one came, and of those on which the
 * members are the bound. Of those who are not there, the same share comes in addition.
 */
function addMissing(values: Float32Array, { means, after, most, weekdayAt }: MissingPeople): Float32Array {
  return values.map((people, at) => {
    const weekday = weekdayAt(at)
    const [mean = 0, target = 0] = [means[weekday], after[weekday]]
    if (weekday < 0 || target - mean < negligible) return people
    if (most === Number.POSITIVE_INFINITY) return people + target - mean
    return most - ((most - people) * (most - Math.min(most, target))) / (most - mean)
  })
}
/** Far above what numbers of 32 bits lose in a mean, and far below a person. */
const negligible = 1e-3

function changedMeans(means: number[], members: number | null, rule: ScenarioTeam['attendance']): number[] {
  let changed = means
  const total = () => changed.reduce((sum, mean) => sum + mean, 0)
  if (rule.minDays !== undefined && members !== null && total() < rule.minDays * members)
    changed = raiseTo(changed, rule.minDays * members, members)
  if (rule.fixedDays !== undefined && rule.fixedDays.length > 0 && members !== null) {
    const full = members * (1 - absentShare)
    const isFixed = (weekday: number) => rule.fixedDays?.includes(weekday) === true
    const fixed = changed.map((mean, weekday) => (isFixed(weekday) ? Math.max(full, mean) : 0))
    const left = Math.max(0, total() - fixed.reduce((sum, mean) => sum + mean, 0))
    const others = changed.reduce((sum, mean, weekday) => sum + (isFixed(weekday) ? 0 : mean), 0)
    changed = changed.map((mean, weekday) =>
      isFixed(weekday) ? (fixed[weekday] ?? 0) : others === 0 ? 0 : (mean / others) * left,
    )
  }
  if (rule.stagger === true) changed = changed.map(() => total() / changed.length)
  return changed
}

/**
 * Multiplies means so that they add up to a total, none above the members; what that cuts off goes to the others, at
 * last to the weekdays on which no one came.
 */
function raiseTo(means: readonly number[], total: number, members: number): number[] {
  const result = means.slice()
  const missing = () => total - result.reduce((all, mean) => all + mean, 0)
  for (let round = 0; round < means.length; round++) {
    const sum = result.reduce((all, mean) => all + (mean < members ? mean : 0), 0)
    if (missing() < 1e-9 || sum === 0) break
    const factor = 1 + missing() / sum
    for (const [at, mean] of result.entries()) if (mean < members) result[at] = Math.min(members, mean * factor)
  }
  const [left, empty] = [Math.max(0, missing()), result.filter((mean) => mean === 0).length]
  return result.map((mean) => (mean === 0 ? Math.min(members, left / empty) : mean))
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
