import { weekdays } from '@wp/contracts'
import { putSchedule, removeSchedule } from '@wp/jobs'
import type { Tx } from '../store/client.ts'
import {
  deletePlanScheduleRow,
  findAllPlanSchedules,
  findPlanSchedules,
  type PlanSchedule,
} from '../store/plan-schedules.ts'
import { findSpacesAbove, type SpaceNode } from '../store/spaces.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { buildTree, pathOf, type Tree } from '../workplace/tree.ts'
import { planQueue } from './run-plan.ts'

/** Returns the time zone of the space of a schedule. */
export const timezoneOf = (tree: Tree<SpaceNode>, { spaceId }: Pick<PlanSchedule, 'spaceId'>): string =>
  effectiveValues(pathOf(tree, spaceId)).timezone

/**
 * Sets when a schedule runs next, by the local time and the opening hours of its space. A date that has run does not
 * run again. A schedule that is disabled, or whose space is never open, pauses.
 *
 * @param tree the space and those around it
 */
export async function putPlanSchedule(tx: Tx, tree: Tree<SpaceNode>, schedule: PlanSchedule): Promise<void> {
  const { timezone, openingHours } = effectiveValues(pathOf(tree, schedule.spaceId))
  const open = weekdays.filter((weekday) => openingHours[weekday] !== undefined)
  const days = schedule.weekdays.length === 0 ? open : schedule.weekdays
  await putSchedule(tx, {
    queue: planQueue,
    resourceId: schedule.id,
    localTime: schedule.localTime,
    timezone,
    weekdays: days.length === 0 ? null : days,
    isPaused: !schedule.enabled || days.length === 0,
  })
}

export const removePlanSchedule = (tx: Tx, id: string): Promise<void> =>
  removeSchedule(tx, { queue: planQueue, resourceId: id })

/** Sets again when every schedule of a workspace runs, after a change of spaces that may change zones or hours. */
export async function followSpaces(tx: Tx, workspaceId: string): Promise<void> {
  const schedules = await findAllPlanSchedules(tx.db, workspaceId)
  if (schedules.length === 0) return
  const ids = schedules.map(({ spaceId }) => spaceId)
  const tree = buildTree(await findSpacesAbove(tx.query, workspaceId, ids))
  for (const schedule of schedules) await putPlanSchedule(tx, tree, schedule)
}

/** Deletes the schedule of a space that is deleted. Its plans stay. */
export async function deletePlanScheduleOf(tx: Tx, workspaceId: string, spaceId: string): Promise<void> {
  const { items } = await findPlanSchedules(tx.db, workspaceId, { limit: 1, space_id: spaceId })
  for (const { id } of items) {
    await deletePlanScheduleRow(tx.db, workspaceId, id)
    await removePlanSchedule(tx, id)
  }
}
