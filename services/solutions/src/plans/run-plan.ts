import type { CalendarInput, Job } from '@wp/jobs'
import type { RetentionRule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import type { Control } from '../store/client.ts'
import { findPlanSchedule } from '../store/plan-schedules.ts'
import { findPlanOfDay } from '../store/plans.ts'
import { draftPlan, storePlan } from './create-plan.ts'

/** The job queue of daily plans. */
export const planQueue = 'plan'

/** Keeps ended jobs for operators; the plans themselves are in their own table. */
export const planJobRetention: RetentionRule = {
  table: 'platform.jobs',
  column: 'finished_at',
  period: '30 days',
  condition: `queue = '${planQueue}' AND state IN ('finished', 'failed', 'cancelled')`,
}

/**
 * Runs one attempt: makes the plan of the day and stores it with its event, unless the space has one. Nothing is made
 * for a schedule that was disabled or deleted, and for a space that was.
 */
export async function runPlan({ database }: Pick<Context, 'database'>, job: Job, control: Control): Promise<void> {
  const { workspaceId } = job
  const { resourceId, date } = job.input as CalendarInput // written by the calendar schedule
  const made = await database.read({ workspaceId }, async (db, query) => {
    const schedule = await findPlanSchedule(db, workspaceId, resourceId)
    if (schedule?.enabled !== true) return { skipped: 'the schedule is disabled or deleted' }
    const existing = await findPlanOfDay(db, workspaceId, schedule.spaceId, date)
    if (existing !== null) return { skipped: 'the day has a plan' }
    const draft = await draftPlan(db, query, workspaceId, schedule, date)
    return draft === null ? { skipped: 'the space was deleted' } : { schedule, draft }
  })
  control.signal.throwIfAborted()
  await control.finish(async (tx) => {
    if ('skipped' in made) return made
    const id = await storePlan(tx, workspaceId, made.schedule, date, made.draft)
    return id === undefined ? { skipped: 'the day has a plan' } : { plan_id: id }
  })
}
