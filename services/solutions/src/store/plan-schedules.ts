import type { InputOf, Page, PlanParameters, solutions, Weekday } from '@wp/contracts'
import { afterCursor, countRows, mapPage, matchMetadata, newId, paginateBy, type Query, type Row } from '@wp/database'
import type { PlanSchedule as Model, Prisma } from '#db'
import type { Db } from './client.ts'

export const planScheduleQuota = countRows('plan_schedules', 'plan_schedules')

/** A row of `plan_schedules`. */
export type PlanSchedule = Omit<Row<Model>, 'weekdays' | 'parameters' | 'metadata'> & {
  /** Empty: the weekdays on which the space is open. */
  weekdays: Weekday[]
  parameters: PlanParameters
  metadata: Record<string, string>
}

/** The columns that a caller sets. */
export type PlanScheduleContent = Pick<
  PlanSchedule,
  'name' | 'spaceId' | 'localTime' | 'weekdays' | 'enabled' | 'scenarioId' | 'parameters' | 'metadata'
>

export type PlanScheduleFilter = InputOf<typeof solutions.listPlanSchedules>['query']

/** Returns one page of the schedules of a workspace, newest first. */
export async function findPlanSchedules(
  db: Db,
  workspaceId: string,
  { limit, cursor, space_id: spaceId, metadata }: PlanScheduleFilter,
): Promise<Page<PlanSchedule>> {
  const ofSpace = spaceId === undefined ? {} : { spaceId }
  const rows = await db.planSchedule.findMany({
    where: { workspaceId, ...ofSpace, ...matchMetadata(metadata), ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return mapPage(paginateBy(rows, limit, 'id'), toSchedule)
}

export async function findPlanSchedule(db: Db, workspaceId: string, id: string): Promise<PlanSchedule | null> {
  const row = await db.planSchedule.findFirst({ where: { workspaceId, id } })
  return row === null ? null : toSchedule(row)
}

/** Returns a schedule that follows a scenario, if there is one. */
export const findScheduleOfScenario = (db: Db, workspaceId: string, scenarioId: string) =>
  db.planSchedule.findFirst({ where: { workspaceId, scenarioId }, select: { id: true, name: true } })

/** Returns all schedules of a workspace, at most as many as the quota. */
export async function findAllPlanSchedules(db: Db, workspaceId: string): Promise<PlanSchedule[]> {
  return (await db.planSchedule.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } })).map(toSchedule)
}

const toSchedule = (row: Model): PlanSchedule => row as PlanSchedule // the columns are written by this service alone, with these types

/** Locks a schedule until the end of the transaction, so that changes of it follow one another. */
export async function lockPlanSchedule(query: Query, workspaceId: string, id: string): Promise<void> {
  await query('SELECT FROM plan_schedules WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [workspaceId, id])
}

export async function insertPlanSchedule(
  db: Db,
  workspaceId: string,
  content: PlanScheduleContent,
): Promise<PlanSchedule> {
  const data: Prisma.PlanScheduleUncheckedCreateInput = { id: newId('pls'), workspaceId, ...content }
  return toSchedule(await db.planSchedule.create({ data }))
}

export async function updatePlanScheduleRow(
  db: Db,
  workspaceId: string,
  id: string,
  content: Partial<PlanScheduleContent>,
): Promise<void> {
  const data: Prisma.PlanScheduleUncheckedUpdateManyInput = { ...content, updatedAt: new Date() }
  await db.planSchedule.updateMany({ where: { workspaceId, id }, data })
}

export async function deletePlanScheduleRow(db: Db, workspaceId: string, id: string): Promise<boolean> {
  return (await db.planSchedule.deleteMany({ where: { workspaceId, id } })).count > 0
}
