import type { solutions } from '@wp/contracts'
import type { z } from 'zod'
import type { PlanSchedule } from '../store/plan-schedules.ts'
import type { ListedPlan, Plan } from '../store/plans.ts'
import type { Comparison } from './compare-plan.ts'

export const planScheduleView = (
  row: PlanSchedule,
  { timezone, nextRunAt }: { timezone: string; nextRunAt: Date | null },
): z.input<typeof solutions.getPlanSchedule.ok> => ({
  ...{ id: row.id, space_id: row.spaceId, name: row.name, local_time: row.localTime },
  weekdays: row.weekdays.length === 0 ? null : row.weekdays,
  ...{ enabled: row.enabled, scenario_id: row.scenarioId, parameters: row.parameters, timezone },
  next_run_at: nextRunAt?.toISOString() ?? null,
  metadata: row.metadata,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const listedPlanView = (row: ListedPlan): z.input<typeof solutions.listPlans.list> => ({
  ...{ id: row.id, plan_schedule_id: row.planScheduleId, space_id: row.spaceId, space_name: row.spaceName },
  ...{ date: row.date, title: row.title, headline: row.headline, created_at: row.createdAt.toISOString() },
})

export const planView = (row: Plan, previous: Comparison | null): z.input<typeof solutions.getPlan.ok> => ({
  ...listedPlanView(row),
  ...row.content,
  previous,
})
