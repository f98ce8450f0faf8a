import { median } from '../forecast/statistics.ts'
import type { PlanInput, PlannedDay, PlannedSpace } from './input/plan-input.ts'
import type { PlannedFloor } from './plan-floor.ts'
import { listFloors } from './words.ts'

/**
 * People beyond so many times those of the other days are an event or an error in the data, not a usual day. A plan has
 * the last days of one weekday, too few for the usual highest value that `findOutliers` compares a series with.
 */
const timesUsual = 5
/** Of fewer people, many times as many are chance. */
const fewPeople = 10

/** Returns the days without those that have far more people than the others. */
export function usualDays(days: readonly PlannedDay[]): PlannedDay[] {
  const usual = median(days.flatMap(({ people }) => people ?? []))
  return days.filter(({ people }) => (people ?? 0) <= timesUsual * Math.max(fewPeople, usual))
}

/** Returns the input of a plan with usual days alone, and a warning if its figures are made of fewer days for that. */
export function withUsualDays(input: PlanInput): PlanInput {
  const [site, ...floors] = [input.site, ...input.floors].map((space) => {
    const days = usualDays(space.days)
    return { space: { ...space, days }, isShorter: space.forecast === null && days.length < space.days.length }
  })
  if (site === undefined) return input
  const shorter = [site, ...floors].flatMap(({ space, isShorter }) => (isShorter ? [space] : []))
  const warning = `Days with far more people than usual are left out of what is expected in ${listFloors(shorter)}.`
  return {
    ...input,
    site: site.space,
    floors: floors.map(({ space }) => space),
    warnings: [...input.warnings, ...(shorter.length === 0 ? [] : [warning])],
  }
}

type Figures = Pick<PlannedFloor['floor'], 'expected' | 'peak'> & Pick<PlannedSpace, 'name'>

/** Returns the warning that people who are counted at once are more than those of the day. */
export function disagreementWarning(spaces: readonly Figures[]): string[] {
  const doubtful = spaces.filter(
    ({ expected, peak }) => expected !== null && peak !== null && peak.people >= expected.mean + 1,
  )
  if (doubtful.length === 0) return []
  return [
    `More people are counted at once in ${listFloors(doubtful)} than are expected on the whole day: its measures of ` +
      'people and of levels disagree, as counters that drift and badges of a part of the people do.',
  ]
}

/** Returns the warning that figures tell of one moment of the day. */
export function measureWarning(spaces: readonly Omit<Figures, 'peak'>[]): string[] {
  const counted = spaces.filter(({ expected }) => expected?.measure === 'peak')
  return counted.length === 0
    ? []
    : [
        `People counters tell how many are in ${listFloors(counted)} at once, and not who came: the people planned there are ` +
          'the most at a moment, and more may come over the day.',
      ]
}
