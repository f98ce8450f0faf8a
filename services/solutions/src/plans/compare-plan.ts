import type { solutions } from '@wp/contracts'
import type { z } from 'zod'
import { round } from './expectation.ts'
import { formatShare, people, weekdayName } from './words.ts'

export type Comparison = NonNullable<z.input<typeof solutions.getPlan.ok>['previous']>
type Difference = Omit<Comparison['floors'][number], 'space_id' | 'name'>

/** The people who came to a space on a day, as shown now. */
export interface Actual {
  attendance: number | null
  isSuppressed: boolean
}

/** A plan that is compared with what came. */
export interface ComparedPlan {
  id: string
  date: string
  spaceId: string
  spaceName: string
  /** The expected mean; null without figures. */
  expected: number | null
  floors: readonly { id: string; name: string; expected: number | null }[]
}

/** Plans of which the error is told. */
export const comparedPlans = 20

/**
 * Compares plans with the people who came.
 *
 * @param plans those of one space, the newest first
 * @param actualOf the people of a space on a day; undefined if no one counted them
 */
export function comparePlans(
  plans: readonly ComparedPlan[],
  actualOf: (spaceId: string, date: string) => Actual | undefined,
): Comparison | null {
  const [last] = plans
  if (last === undefined) return null
  const own = differenceOf(last.expected, actualOf(last.spaceId, last.date))
  const all = plans.map(({ spaceId, date, expected }) => differenceOf(expected, actualOf(spaceId, date)))
  const known = all.filter(({ error }) => error !== null)
  const wape = wapeOf(known)
  return {
    plan_id: last.id,
    date: last.date,
    ...own,
    floors: last.floors.map(({ id, name, expected }) => ({
      space_id: id,
      name,
      ...differenceOf(expected, actualOf(id, last.date)),
    })),
    conclusion: conclusionOf(last, own, wape, known.length),
    wape,
    wape_floors: wapeOf(
      plans.flatMap(({ floors, date }) => floors.map(({ id, expected }) => differenceOf(expected, actualOf(id, date)))),
    ),
    plans: known.length,
  }
}

function differenceOf(expected: number | null, actual: Actual | undefined): Difference {
  const came = actual === undefined || actual.isSuppressed ? null : actual.attendance
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
  { date, spaceName }: ComparedPlan,
  { expected, actual, error, suppressed }: Difference,
  wape: number | null,
  plans: number,
): string {
  const day = weekdayName(date)
  const mean = wape === null || plans < 2 ? '' : ` Over the last ${plans} plans the error was ${formatShare(wape)}.`
  if (suppressed) return `How many people came to ${spaceName} on ${day} is withheld.${mean}`
  if (actual === null) return `How many people came to ${spaceName} on ${day} is not known yet.${mean}`
  if (expected === null || error === null)
    return `${people(actual)} came on ${day}, for which there was no figure.${mean}`
  const off = Math.round(error)
  const relative = actual === 0 || off === 0 ? '' : ` (${Math.round((Math.abs(error) / actual) * 100)} %)`
  const difference = off === 0 ? 'as planned' : `${Math.abs(off)} ${off > 0 ? 'more' : 'fewer'} than planned${relative}`
  return `${people(actual)} came on ${day}, ${difference}.${mean}`
}
