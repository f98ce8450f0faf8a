import { invalidField, maxPlanFloors, problem } from '@wp/contracts'
import { definedFields, enforceQuota, mergeMetadata, type Query } from '@wp/database'
import { getJob, listNextRuns } from '@wp/jobs'
import { found, type Operation } from '../context.ts'
import { putPlanSchedule, removePlanSchedule, timezoneOf } from '../plans/calendar.ts'
import { draftPlan, storePlan } from '../plans/create-plan.ts'
import { floorsIn } from '../plans/input/floors-in.ts'
import { planQueue } from '../plans/run-plan.ts'
import { planScheduleView } from '../plans/views.ts'
import { scenarioQueue } from '../scenarios/scenario-job.ts'
import type { Db } from '../store/client.ts'
import {
  deletePlanScheduleRow,
  findPlanSchedule,
  findPlanSchedules,
  insertPlanSchedule,
  lockPlanSchedule,
  type PlanSchedule,
  planScheduleQuota,
  updatePlanScheduleRow,
} from '../store/plan-schedules.ts'
import { findPlanOfDay } from '../store/plans.ts'
import { findSpaceNodes, findSpacesAbove, lockTrees } from '../store/spaces.ts'
import { buildTree } from '../workplace/tree.ts'
import { readPlanView } from './plans.ts'

export const listPlanSchedules: Operation<'listPlanSchedules'> = ({ database }, { workspaceId }, { query }) =>
  database.read({ workspaceId }, async (db, sql) => {
    const { items, nextCursor } = await findPlanSchedules(db, workspaceId, query)
    return { items: await viewsOf(sql, workspaceId, items), nextCursor }
  })

export const getPlanSchedule: Operation<'getPlanSchedule'> = ({ database }, { workspaceId }, { params }) =>
  database.read({ workspaceId }, (db, sql) => readView(db, sql, workspaceId, params.id))

export const createPlanSchedule: Operation<'createPlanSchedule'> = ({ database }, caller, { body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    // The space stays as it is until the schedule is stored, and no other schedule of it is.
    await lockTrees(tx, workspaceId)
    const tree = buildTree(await findSpaceNodes(tx.query, workspaceId))
    const space = tree.nodes[tree.positions.get(body.space_id) ?? -1]
    if (space === undefined) throw invalidField('/space_id', 'is not a space of this workspace', 'unknown_reference')
    if (space.kind !== 'site' && space.kind !== 'building')
      throw invalidField('/space_id', `must be a site or building, and is a ${space.kind}`)
    const floors = floorsIn(tree, space.id).length
    if (floors > maxPlanFloors)
      throw invalidField('/space_id', `has ${floors} floors, more than ${maxPlanFloors}: plan its buildings`)
    const { items } = await findPlanSchedules(tx.db, workspaceId, { limit: 1, space_id: space.id })
    if (items[0] !== undefined)
      throw problem('conflict', {
        detail: `The space has the schedule ${items[0].id}. Change that one.`,
        errors: [{ pointer: '/space_id', detail: 'has a schedule' }],
      })
    await requireScenario(tx.query, workspaceId, body.scenario_id)
    const row = await insertPlanSchedule(tx.db, workspaceId, {
      name: body.name,
      spaceId: body.space_id,
      localTime: body.local_time,
      weekdays: body.weekdays ?? [],
      enabled: body.enabled,
      scenarioId: body.scenario_id,
      parameters: body.parameters,
      metadata: body.metadata,
    })
    await enforceQuota(tx.query, workspaceId, planScheduleQuota)
    await putPlanSchedule(tx, tree, row)
    return readView(tx.db, tx.query, workspaceId, row.id)
  })

export const updatePlanSchedule: Operation<'updatePlanSchedule'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockTrees(tx, workspaceId)
    await lockPlanSchedule(tx.query, workspaceId, params.id)
    const before = found(await findPlanSchedule(tx.db, workspaceId, params.id))
    await requireScenario(tx.query, workspaceId, body.scenario_id)
    const { name, local_time: localTime, weekdays, enabled, scenario_id: scenarioId, parameters, metadata } = body
    const changes = definedFields({
      name,
      localTime,
      enabled,
      scenarioId,
      weekdays: weekdays === null ? [] : weekdays,
      parameters: parameters && { ...before.parameters, ...definedFields(parameters) },
      metadata: mergeMetadata(before.metadata, metadata),
    })
    await updatePlanScheduleRow(tx.db, workspaceId, params.id, changes)
    const tree = buildTree(await findSpacesAbove(tx.query, workspaceId, [before.spaceId]))
    await putPlanSchedule(tx, tree, { ...before, ...changes })
    return readView(tx.db, tx.query, workspaceId, params.id)
  })

export const deletePlanSchedule: Operation<'deletePlanSchedule'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    // A change of spaces that sets the schedule again comes before or after.
    await lockTrees(tx, caller.workspaceId)
    if (!(await deletePlanScheduleRow(tx.db, caller.workspaceId, params.id))) throw problem('not_found')
    await removePlanSchedule(tx, params.id)
    return { id: params.id }
  })

export const runPlanSchedule: Operation<'runPlanSchedule'> = async ({ database }, caller, { params, query }) => {
  const { workspaceId } = caller
  const made = await database.read(caller, async (db, sql) => {
    const schedule = found(await findPlanSchedule(db, workspaceId, params.id))
    const timezone = timezoneOf(buildTree(await findSpacesAbove(sql, workspaceId, [schedule.spaceId])), schedule)
    const date = plannedDay(query.date, new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date()))
    const existing = await findPlanOfDay(db, workspaceId, schedule.spaceId, date)
    const draft = existing === null ? await draftPlan(db, sql, workspaceId, schedule, date) : null
    return { schedule, date, draft, existing }
  })
  const { schedule, date, draft, existing } = made
  if (existing === null && draft === null)
    throw problem('conflict', { detail: 'The space of the schedule was deleted.' })
  return database.transact(caller, async (tx) => {
    if (draft !== null) await storePlan(tx, workspaceId, schedule, date, draft)
    // That of another request, or of the schedule itself, if there is one.
    return readPlanView(tx.db, tx.query, found(await findPlanOfDay(tx.db, workspaceId, schedule.spaceId, date)))
  })
}

/** Days ahead for which a plan can be made: a later one would use a forecast that is not there yet. */
const maxDaysAhead = 7

/** @throws Problem for a day that is over or too far ahead */
function plannedDay(date: string | undefined, today: string): string {
  if (date === undefined) return today
  const daysAhead = (Date.parse(date) - Date.parse(today)) / 86_400_000
  if (daysAhead < 0 || daysAhead > maxDaysAhead)
    throw invalidField('/date', `must be ${today} or one of the ${maxDaysAhead} days after it`)
  return date
}

/** @throws Problem for a scenario that the workspace does not have */
async function requireScenario(query: Query, workspaceId: string, id: string | null | undefined): Promise<void> {
  if (id === null || id === undefined) return
  if ((await getJob(query, { workspaceId, queue: scenarioQueue, id })) === null)
    throw invalidField('/scenario_id', 'is not a scenario of this workspace', 'unknown_reference')
}

async function readView(db: Db, query: Query, workspaceId: string, id: string) {
  const [view = null] = await viewsOf(query, workspaceId, [found(await findPlanSchedule(db, workspaceId, id))])
  return found(view)
}

async function viewsOf(query: Query, workspaceId: string, rows: readonly PlanSchedule[]) {
  const spaceIds = rows.map(({ spaceId }) => spaceId)
  const tree = buildTree(await findSpacesAbove(query, workspaceId, spaceIds))
  const resourceIds = rows.map(({ id }) => id)
  const nextRuns = await listNextRuns(query, { workspaceId, queue: planQueue, resourceIds })
  return rows.map((row) =>
    planScheduleView(row, { timezone: timezoneOf(tree, row), nextRunAt: nextRuns.get(row.id) ?? null }),
  )
}
