import { solutions } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { PlanSchedule } from '../store/plan-schedules.ts'
import type { ListedPlan, Plan } from '../store/plans.ts'
import type { Comparison } from './compare-plan.ts'

export const planScheduleView = (
  row: PlanSchedule,
  { timezone, nextRunAt }: { timezone: string; nextRunAt: Date | null },
): z.input<typeof solutions.getPlanSchedule.ok> =>
  viewOf(solutions.getPlanSchedule.ok, row, {
    weekdays: row.weekdays.length === 0 ? null : row.weekdays,
    timezone,
    next_run_at: nextRunAt?.toISOString() ?? null,
  })

export const listedPlanView = (row: ListedPlan): z.input<typeof solutions.listPlans.list> =>
  viewOf(solutions.listPlans.list, row)

/** @param stale warnings that what the plan rests on has changed since */
export const planView = (
  row: Plan,
  previous: Comparison | null,
  stale: readonly string[],
): z.input<typeof solutions.getPlan.ok> => {
  const { rests_on: _restsOn, ...content } = row.content
  return {
    ...listedPlanView(row),
    ...content,
    warnings: [...stale, ...content.warnings],
    stale: stale.length > 0,
    previous,
  }
}
