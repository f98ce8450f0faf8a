import type { Query } from '@wp/database'
import type { Db } from '../store/client.ts'
import { type ExpectedPlan, findPlansBefore } from '../store/plans.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findSpaceDaysOn } from '../store/utilization.ts'
import { readPrivacyThreshold } from '../store/workplace-settings.ts'
import { readCoverage } from '../utilization/read-coverage.ts'
import { peopleOf, shownSpaceDay } from '../utilization/shown-day.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { buildTree } from '../workplace/tree.ts'
import { type Actual, type Comparison, comparedPlans, comparePlans } from './compare-plan.ts'
import type { PlanMeasure } from './input/plan-input.ts'

/**
 * Compares the plans of a space before a day with the people who came, as they are shown now: a figure that is withheld
 * from readers of utilization is withheld here, also after the privacy threshold has been raised.
 *
 * @returns the comparison, null without an earlier plan; and the floors that the last plan kept closed and people used
 */
export async function readComparison(
  db: Db,
  query: Query,
  workspaceId: string,
  { spaceId, date }: { spaceId: string; date: string },
): Promise<{ comparison: Comparison | null; usedWhileClosed: { name: string; date: string }[] }> {
  const plans = await findPlansBefore(query, workspaceId, { spaceId, date, limit: comparedPlans })
  const [last] = plans
  if (last === undefined) return { comparison: null, usedWhileClosed: [] }
  const actualOf = await readActuals(db, query, workspaceId, plans)
  const used = last.floors.filter(
    ({ id, isClosed }) =>
      isClosed &&
      (['attendance', 'peak'] as const).some((measure) => (actualOf(id, last.date, measure)?.people ?? 0) > 0),
  )
  return {
    comparison: comparePlans(plans, actualOf),
    usedWhileClosed: used.map(({ name }) => ({ name, date: last.date })),
  }
}

async function readActuals(
  db: Db,
  query: Query,
  workspaceId: string,
  plans: readonly ExpectedPlan[],
): Promise<(spaceId: string, date: string, measure: PlanMeasure | null) => Actual | undefined> {
  const ids = new Set(plans.flatMap(({ spaceId, floors }) => [spaceId, ...floors.map(({ id }) => id)]))
  const dates = plans.map(({ date }) => date)
  const threshold = await readPrivacyThreshold(query, workspaceId)
  const rows = await findSpaceDaysOn(query, workspaceId, [...ids], dates)
  const tree = buildTree(await findSpaceNodes(query, workspaceId))
  const range = { since: dates.at(-1) ?? '', until: dateOf(dayOf(dates[0] ?? '') + 1) }
  const { coverageOf } = await readCoverage(db, query, workspaceId, tree, range)
  const shown = new Map(rows.map((row) => [`${row.spaceId} ${row.day}`, shownSpaceDay(row, threshold)]))
  return (spaceId, date, measure) => {
    const day = shown.get(`${spaceId} ${date}`)
    // Where no reader had data, a count of 0 is none.
    if (day === undefined || coverageOf(spaceId)(day) === 0) return undefined
    // The peak of bookings is of people who were expected.
    const isCounted = day.source === 'counts' || day.isRaised
    return measure === 'peak' && !isCounted ? undefined : peopleOf(day, measure ?? 'attendance')
  }
}
