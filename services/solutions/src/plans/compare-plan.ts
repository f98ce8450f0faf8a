import type { solutions } from '@wp/contracts'
import type { z } from 'zod'
import type { peopleOf } from '../utilization/shown-day.ts'
import { round } from './expectation.ts'
import type { PlanMeasure } from './input/plan-input.ts'
import { formatShare, people, weekdayName } from './words.ts'

export type Comparison = NonNullable<z.input<typeof solutions.getPlan.ok>['previous']>
type Difference = Omit<Comparison['floors'][number], 'space_id' | 'name'>

/** The people of a space and day by the measure of its plan, as shown now. */
export type Actual = ReturnType<typeof peopleOf>

/** A plan that is compared with what came. */
export interface ComparedPlan {
  id: string
  date: string
  spaceId: string
  spaceName: string
  /** The expected mean; null without figures. */
  expected: number | null
  measure: PlanMeasure | null
  floors: readonly { id: string; name: string; expected: number | null; measure: PlanMeasure | null }[]
}

/** Plans of which the error is told. */
export const comparedPlans = 20

/**
 * Compares plans with the people who came.
 *
 * @param plans those of one space, the newest first
 * @param actualOf the people of a space on a day by a measure; undefined if no one counted them
 */
export function comparePlans(
  plans: readonly ComparedPlan[],
  actualOf: (spaceId: string, date: string, measure: PlanMeasure | null) => Actual | undefined,
): Comparison | null {
  const [last] = plans
  if (last === undefined) return null
  const own = differenceOf(last.expected, actualOf(last.spaceId, last.date, last.measure))
  const all = plans.map(({ spaceId, date, expected, measure }) =>
    differenceOf(expected, actualOf(spaceId, date, measure)),
  )
  const known = all.filter(({ error }) => error !== null)
  const wape = wapeOf(known)
  return {
    plan_id: last.id,
    date: last.date,
    ...own,
    floors: last.floors.map(({ id, name, expected, measure }) => ({
      space_id: id,
      name,
      ...differenceOf(expected, actualOf(id, last.date, measure)),
    })),
    conclusion: conclusionOf(last, own, wape, known.length),
    wape,
    wape_floors: wapeOf(
      plans.flatMap(({ floors, date }) =>
        floors.map(({ id, expected, measure }) => differenceOf(expected, actualOf(id, date, measure))),
      ),
    ),
    plans: known.length,
  }
}

function differenceOf(expected: number | null, actual: Actual | undefined): Difference {
  const came = actual === undefined || actual.isSuppressed ? null : actual.people
  return {
    expected,
    actual: came,
    error: came === null || expected === null ? null : round(came - expected),
    suppressed: actual?.isSuppressed ?? false,
  }
}

/** Returns the sum of absolute errors over that of the people who came; null if no one came. */
function wapeOf(differences: readonly Difference[]): number | null {
  let [errors, came] = [0, 0]
  for (const { error, actual } of differences) {
    if (error === null || actual === null) continue
    errors += Math.abs(error)
    came += actual
  }
  return came === 0 ? null : Math.round((errors / came) * 10_000) / 10_000
}

function conclusionOf(
  { date, spaceName, measure }: ComparedPlan,
  { expected, actual, error, suppressed }: Difference,
  wape: number | null,
  plans: number,
): string {
  const day = weekdayName(date)
  const came = measure === 'peak' ? 'were there at once' : 'came'
  const mean = wape === null || plans < 2 ? '' : ` Over the last ${plans} plans the error was ${formatShare(wape)}.`
  if (suppressed) return `How many people came to ${spaceName} on ${day} is withheld.${mean}`
  if (actual === null) return `How many people came to ${spaceName} on ${day} is not known yet.${mean}`
  if (expected === null || error === null)
    return `${people(actual)} ${came} on ${day}, for which there was no figure.${mean}`
  const off = Math.round(error)
  const relative = actual === 0 || off === 0 ? '' : ` (${Math.round((Math.abs(error) / actual) * 100)} %)`
  const difference = off === 0 ? 'as planned' : `${Math.abs(off)} ${off > 0 ? 'more' : 'fewer'} than planned${relative}`
  return `${people(actual)} ${came} on ${day}, ${difference}.${mean}`
}
