import {
  agents,
  type BudgetPatch,
  invalidField,
  type RequestCaller,
  type TriggerOccasion,
  type WorkspaceCaller,
} from '@wp/contracts'
import { enforceQuota, newId, viewOf } from '@wp/database'
import { cronError, nextCronRun } from '@wp/jobs'
import { requireScope } from '@wp/service'
import type { z } from 'zod'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import { validateInput } from '../agents/input-schema/input-schema.ts'
import type { Context, Operation } from '../context.ts'
import { checkPrice, costLimitsAt } from '../models/check-price.ts'
import { changeBudget } from '../runs/budgets.ts'
import { findAgent, findAndLockAgent } from '../store/agents/agents.ts'
import type { Tx } from '../store/client.ts'
import { triggerQuota } from '../store/quotas.ts'
import { triggerScheduleQueue } from '../store/triggers/occasions.ts'
import {
  deleteTriggerRow,
  findTrigger,
  findTriggers,
  insertTrigger,
  lockTrigger,
  type NewTrigger,
  type Trigger,
  updateTriggerRow,
} from '../store/triggers/triggers.ts'
import { isHigher } from '../tools/autonomy.ts'
import { startRunOf } from '../triggers/start-triggered-run.ts'

const shownRuns = 3

export const listTriggers: Operation<'listTriggers'> = async ({ database }, caller, { params, query }) => {
  const { items, nextCursor } = await database.read(caller, async (db) => {
    await findAgent(db, caller.workspaceId, params.agent_id)
    return findTriggers(db, caller.workspaceId, { agentId: params.agent_id, ...query })
  })
  return { items: items.map(triggerView), nextCursor }
}

export const getTrigger: Operation<'getTrigger'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) =>
    triggerView(await findTrigger(db, caller.workspaceId, params.agent_id, params.id)),
  )

export const createTrigger: Operation<'createTrigger'> = async (context, caller, { params, body }) => {
  const { database, now } = context
  checkTrigger(caller, body.on, now())
  await checkBudget(context, caller, params.agent_id, body.budget)
  return database.transact(caller, async (tx) => {
    const trigger = {
      id: newId('trg'),
      agentId: params.agent_id,
      on: body.on,
      input: body.input,
      budget: body.budget,
      autonomy: body.autonomy,
      isEnabled: body.enabled,
      caller,
    }
    await checkAgent(tx, caller.workspaceId, trigger)
    const created = await insertTrigger(tx.db, caller.workspaceId, scheduled(trigger, now()))
    tx.wake(triggerScheduleQueue)
    await enforceQuota(tx.query, caller.workspaceId, triggerQuota)
    return triggerView(created)
  })
}

/** Changes a trigger. Its runs act for the caller from then on: no change borrows the rights of another principal. */
export const updateTrigger: Operation<'updateTrigger'> = async (context, caller, { params, body }) => {
  const { database, now } = context
  checkTrigger(caller, body.on, now())
  await checkBudget(context, caller, params.agent_id, body.budget ?? {})
  return database.transact(caller, async (tx) => {
    await lockTrigger(tx.query, caller.workspaceId, params.id)
    const current = await findTrigger(tx.db, caller.workspaceId, params.agent_id, params.id)
    const {
      on = current.on,
      input = current.input,
      autonomy = current.autonomy,
      enabled: isEnabled = current.isEnabled,
    } = body
    const changed = {
      id: params.id,
      agentId: params.agent_id,
      on,
      input,
      autonomy,
      isEnabled,
      caller,
      budget: changeBudget(current.budget, body.budget ?? {}),
    }
    await checkAgent(tx, caller.workspaceId, changed)
    tx.audit({ changes: { fields: Object.keys(body) } })
    tx.wake(triggerScheduleQueue)
    return triggerView(await updateTriggerRow(tx.db, scheduled(changed, now()), new Date(now())))
  })
}

export const deleteTrigger: Operation<'deleteTrigger'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await deleteTriggerRow(tx.db, caller.workspaceId, params.agent_id, params.id)
    return { id: params.id }
  })

/**
 * Starts a run now, for the principal of the trigger and in its budget. @throws Problem with the reason if none starts
 */
export const runTrigger: Operation<'runTrigger'> = ({ database, now }, caller, { params: { agent_id: agentId, id } }) =>
  database.transact(caller, async (tx) => {
    await lockTrigger(tx.query, caller.workspaceId, id)
    await startRunOf(tx, await findTrigger(tx.db, caller.workspaceId, agentId, id), { at: new Date(now()), depth: 0 })
    return triggerView(await findTrigger(tx.db, caller.workspaceId, agentId, id))
  })

/** Asserts that the model of the agent has the price that a budget in money requires. @throws Problem */
async function checkBudget(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  agentId: string,
  budget: BudgetPatch,
): Promise<void> {
  const limits = costLimitsAt('/budget', budget)
  if (limits.length === 0) return
  const { content } = await context.database.read(caller, (db) => findAgent(db, caller.workspaceId, agentId))
  await checkPrice(context, caller, content.model, limits)
}

/** @throws Problem `missing_scope`, `validation_failed` */
function checkTrigger(caller: RequestCaller<WorkspaceCaller>, on: TriggerOccasion | undefined, now: number): void {
  requireScope(caller, 'agents:run', 'Having an agent run by itself')
  const error = on !== undefined && 'schedule' in on ? cronError(on.schedule, on.timezone, new Date(now)) : undefined
  if (error !== undefined) throw invalidField('/on/schedule', error)
}

/** Asserts that the agent takes the input, and has no less autonomy. What an event adds is checked with each run. */
async function checkAgent(
  tx: Tx,
  workspaceId: string,
  { agentId, on, input, autonomy, isEnabled }: Omit<NewTrigger, 'nextRunAt'>,
) {
  const { autonomy: most } = await findAndLockAgent(tx, workspaceId, agentId, 'share')
  if (autonomy !== null && isHigher(autonomy, most))
    throw invalidField('/autonomy', `must not be higher than that of the agent, which is ${most}`)
  if (!isEnabled) return
  const { content } = await getRunnableAgent(tx, workspaceId, agentId)
  if ('schedule' in on) validateInput(content.inputSchema, input)
}

function scheduled(trigger: Omit<NewTrigger, 'nextRunAt'>, now: number): NewTrigger {
  const { on, isEnabled } = trigger
  const isTimed = isEnabled && 'schedule' in on
  return { ...trigger, nextRunAt: isTimed ? nextCronRun(on.schedule, on.timezone, new Date(now)) : null }
}

const triggerView = (trigger: Trigger): z.input<typeof agents.getTrigger.ok> =>
  viewOf(agents.getTrigger.ok, trigger, {
    enabled: trigger.isEnabled,
    acts_for: trigger.caller.principal.id,
    upcoming: upcomingRuns(trigger).map((at) => at.toISOString()),
    last_skipped:
      trigger.skippedAt === null || trigger.skipReason === null
        ? null
        : { at: trigger.skippedAt.toISOString(), reason: trigger.skipReason },
  })

/** Returns the next times of a trigger, with the one that is due. */
function upcomingRuns({ on, nextRunAt }: Trigger): Date[] {
  const times: Date[] = []
  for (let at = nextRunAt; at !== null && times.length < shownRuns; ) {
    times.push(at)
    at = 'schedule' in on ? nextCronRun(on.schedule, on.timezone, at) : null
  }
  return times
}
