import {
  type Autonomy,
  type Budget,
  type Page,
  problem,
  type TriggerOccasion,
  type WorkspaceCaller,
} from '@wp/contracts'
import { afterCursor, paginate, type Query, type Row } from '@wp/database'
import { type Trigger as Model, Prisma } from '#db'
import type { Db } from '../client.ts'

type Times = 'nextRunAt' | 'lastRunAt' | 'skippedAt' | 'createdAt' | 'updatedAt'

/** Starts runs of an agent by itself. */
export interface Trigger extends Row<Model, Times | 'id' | 'agentId' | 'isEnabled' | 'lastRunId' | 'skipReason'> {
  on: TriggerOccasion
  input: string | Record<string, unknown>
  budget: Budget
  /** A lower level than that of the agent; null: that of the agent. */
  autonomy: Autonomy | null
  /** The principal for whom its runs act, with the scopes that it had. */
  caller: WorkspaceCaller
}

export type NewTrigger = Pick<
  Trigger,
  'id' | 'agentId' | 'on' | 'input' | 'budget' | 'autonomy' | 'isEnabled' | 'caller' | 'nextRunAt'
>

/** Returns one page of the triggers of an agent, newest first. */
export async function findTriggers(
  db: Db,
  workspaceId: string,
  { agentId, limit, cursor }: { agentId: string; limit: number; cursor?: string | undefined },
): Promise<Page<Trigger>> {
  const rows = await db.trigger.findMany({
    where: { workspaceId, agentId, ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, (row) => row)
  return { items: items.map(toTrigger), nextCursor }
}

/** Returns the budget of each trigger of an agent. */
export async function findTriggerBudgets(
  db: Db,
  workspaceId: string,
  agentId: string,
): Promise<Pick<Trigger, 'id' | 'budget'>[]> {
  const rows = await db.trigger.findMany({ where: { workspaceId, agentId }, orderBy: { id: 'asc' } })
  return rows.map(toTrigger)
}

/** @throws Problem `not_found` */
export async function findTrigger(db: Db, workspaceId: string, agentId: string, id: string): Promise<Trigger> {
  const row = await db.trigger.findFirst({ where: { workspaceId, agentId, id } })
  if (row === null) throw problem('not_found')
  return toTrigger(row)
}

export async function insertTrigger(db: Db, workspaceId: string, trigger: NewTrigger): Promise<Trigger> {
  const { id, agentId } = trigger
  return toTrigger(await db.trigger.create({ data: { id, workspaceId, agentId, ...columnsOf(trigger) } }))
}

/** Changes a trigger that the transaction has locked. */
export async function updateTriggerRow(db: Db, trigger: NewTrigger, updatedAt: Date): Promise<Trigger> {
  return toTrigger(await db.trigger.update({ where: { id: trigger.id }, data: { ...columnsOf(trigger), updatedAt } }))
}

/** @throws Problem `not_found` */
export async function deleteTriggerRow(db: Db, workspaceId: string, agentId: string, id: string): Promise<void> {
  const { count } = await db.trigger.deleteMany({ where: { workspaceId, agentId, id } })
  if (count === 0) throw problem('not_found')
}

export async function deleteTriggersOf(db: Db, workspaceId: string, agentId: string): Promise<void> {
  await db.trigger.deleteMany({ where: { workspaceId, agentId } })
}

/** Lets the runs of all triggers of an agent act for the caller that has changed what the agent does. */
export async function changeTriggerCallers(db: Db, agentId: string, caller: WorkspaceCaller): Promise<void> {
  const { workspaceId } = caller
  await db.trigger.updateMany({ where: { workspaceId, agentId }, data: { caller: storedCaller(caller) } })
}

/** Locks a trigger until the end of the transaction. @throws Problem `not_found` */
export async function lockTrigger(query: Query, workspaceId: string, id: string): Promise<void> {
  const rows = await query('SELECT FROM triggers WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [workspaceId, id])
  if (rows.length === 0) throw problem('not_found')
}

function columnsOf({ on, input, budget, autonomy, isEnabled, caller, nextRunAt }: NewTrigger) {
  const occasion =
    'event' in on
      ? { event: on.event, filter: on.filter ?? Prisma.DbNull, schedule: null, timezone: null }
      : { event: null, filter: Prisma.DbNull, schedule: on.schedule, timezone: on.timezone }
  // Validated as JSON by the contract.
  return {
    ...occasion,
    input: input as Prisma.InputJsonValue,
    budget,
    autonomy,
    isEnabled,
    caller: storedCaller(caller),
    nextRunAt,
  }
}

/** The request of a caller is not stored. */
const storedCaller = ({ request: _request, ...caller }: WorkspaceCaller & { request?: unknown }) =>
  caller as unknown as Prisma.InputJsonObject // of texts and lists of texts

/** Reads a row, which only this service writes. */
export const toTrigger = (row: Omit<Model, 'workspaceId'>): Trigger => ({
  ...row,
  on: (row.schedule === null
    ? { event: row.event, filter: row.filter }
    : { schedule: row.schedule, timezone: row.timezone }) as TriggerOccasion,
  input: row.input as Trigger['input'],
  budget: row.budget as Budget,
  autonomy: row.autonomy as Autonomy | null,
  caller: row.caller as unknown as WorkspaceCaller,
})
