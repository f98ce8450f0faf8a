import { maxEventFloors } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Db, Tx } from '../store/client.ts'
import type { PlanSchedule } from '../store/plan-schedules.ts'
import { insertPlan } from '../store/plans.ts'
import { readPlanInput } from './input/read-plan-input.ts'
import { type MadePlan, makePlan } from './make-plan.ts'
import { readComparison } from './read-comparison.ts'

/** The plan of a day that is not stored yet. */
export interface DraftPlan extends MadePlan {
  spaceName: string
  /** The comparison of the plan before; null without one. */
  previous: string | null
}

/** Makes the plan of a day, and stores nothing. @returns null if the space does not exist */
export async function draftPlan(
  db: Db,
  query: Query,
  workspaceId: string,
  schedule: PlanSchedule,
  date: string,
): Promise<DraftPlan | null> {
  const input = await readPlanInput(db, query, workspaceId, schedule, date)
  if (input === null) return null
  const { comparison, usedWhileClosed } = await readComparison(db, query, workspaceId, {
    spaceId: schedule.spaceId,
    date,
  })
  const plan = makePlan({ ...input, usedWhileClosed })
  plan.content.rests_on = input.restsOn
  return { ...plan, spaceName: input.site.name, previous: comparison?.conclusion ?? null }
}

/**
 * Stores a plan and announces it, unless the space has one of this day: then nothing happens.
 *
 * @returns the id of the stored plan
 */
export async function storePlan(
  tx: Tx,
  workspaceId: string,
  { id: planScheduleId, spaceId }: PlanSchedule,
  date: string,
  { title, headline, content, spaceName, previous }: DraftPlan,
): Promise<string | undefined> {
  const plan = { planScheduleId, spaceId, spaceName, date, title, headline, content }
  const id = await insertPlan(tx.query, workspaceId, plan)
  if (id === undefined) return undefined
  tx.emit({
    kind: 'WORKPLACE_PLAN_CREATED',
    data: {
      id,
      status: 'created',
      plan_schedule_id: planScheduleId,
      space_id: spaceId,
      space_name: spaceName,
      date,
      title,
      headline,
      actions: content.actions,
      floors: content.floors.slice(0, maxEventFloors).map((floor) => ({
        space_id: floor.space_id,
        name: floor.name,
        is_closed: floor.is_closed,
        expected: floor.expected?.mean ?? null,
        at_most: floor.expected?.upper ?? null,
        heating: floor.heating,
        ventilation: floor.ventilation,
        cleaning_minutes: floor.cleaning_minutes,
      })),
      floor_count: content.floors.length,
      previous,
      warnings: content.warnings,
    },
  })
  return id
}
