import {
  type agents,
  invalidField,
  type Operation,
  type RequestCaller,
  type TriggerOccasion,
  type WorkspaceCaller,
} from '@wp/contracts'
import { enforceQuota, newId } from '@wp/database'
import { cronError, nextCronRun } from '@wp/jobs'
import { requireScope } from '@wp/service'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import { validateInput } from '../agents/validate-input.ts'
import type { Context } from '../context.ts'
import { changeBudget } from '../runs/budgets.ts'
import { findAgent, lockAgent } from '../store/agents/agents.ts'
import type { Tx } from '../store/client.ts'
import { triggerQuota } from '../store/quotas.ts'
import {
  deleteTriggerRow,
  findTrigger,
  findTriggers,
  insertTrigger,
  lockTrigger,
  type NewTrigger,
  updateTriggerRow,
} from '../store/triggers/triggers.ts'
import { triggerView } from '../triggers/trigger-view.ts'

export const listTriggers: Operation<typeof agents.listTriggers, Context> = async (
  { database },
  caller,
  { params: { agent_id: agentId }, query },
) => {
  const { items, nextCursor } = await database.read(caller, async (db) => {
    await findAgent(db, caller.workspaceId, agentId)
    return findTriggers(db, caller.workspaceId, { agentId, ...query })
  })
  return { items: items.map(triggerView), nextCursor }
}

export const getTrigger: Operation<typeof agents.getTrigger, Context> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) =>
    triggerView(await findTrigger(db, caller.workspaceId, params.agent_id, params.id)),
  )

export const createTrigger: Operation<typeof agents.createTrigger, Context> = (
  { database, now },
  caller,
  { params: { agent_id: agentId }, body: { on, input, budget, enabled } },
) => {
  checkTrigger(caller, on, now())
  return database.transact(caller, async (tx) => {
    const trigger = { id: newId('trg'), agentId, on, input, budget, isEnabled: enabled, caller }
    await checkAgent(tx, caller.workspaceId, trigger)
    const created = await insertTrigger(tx.db, caller.workspaceId, scheduled(trigger, now()))
    await enforceQuota(tx.query, caller.workspaceId, triggerQuota)
    return triggerView(created)
  })
}

/** Changes a trigger. Its runs act for the caller from then on: no change borrows the rights of another principal. */
export const updateTrigger: Operation<typeof agents.updateTrigger, Context> = (
  { database, now },
  caller,
  { params: { agent_id: agentId, id }, body },
) => {
  checkTrigger(caller, body.on, now())
  return database.transact(caller, async (tx) => {
    await lockTrigger(tx.query, caller.workspaceId, id)
    const current = await findTrigger(tx.db, caller.workspaceId, agentId, id)
    const { on = current.on, input = current.input, enabled: isEnabled = current.isEnabled } = body
    const changed = {
      id,
      agentId,
      on,
      input,
      isEnabled,
      caller,
      budget: changeBudget(current.budget, body.budget ?? {}),
    }
    await checkAgent(tx, caller.workspaceId, changed)
    tx.audit({ changes: { fields: Object.keys(body) } })
    return triggerView(await updateTriggerRow(tx.db, scheduled(changed, now()), new Date(now())))
  })
}

export const deleteTrigger: Operation<typeof agents.deleteTrigger, Context> = (
  { database },
  caller,
  { params: { agent_id: agentId, id } },
) =>
  database.transact(caller, async (tx) => {
    await deleteTriggerRow(tx.db, caller.workspaceId, agentId, id)
    return { id }
  })

/** @throws Problem `missing_scope`, `validation_failed` */
function checkTrigger(caller: RequestCaller<WorkspaceCaller>, on: TriggerOccasion | undefined, now: number): void {
  requireScope(caller, 'agents:run', 'Having an agent run by itself')
  const error = on !== undefined && 'schedule' in on ? cronError(on.schedule, on.timezone, new Date(now)) : undefined
  if (error !== undefined) throw invalidField('/on/schedule', error)
}

/** Asserts that the agent takes the input. What an event adds is checked with each run. */
async function checkAgent(
  tx: Tx,
  workspaceId: string,
  { agentId, on, input, isEnabled }: Omit<NewTrigger, 'nextRunAt'>,
) {
  if (!isEnabled) return lockAgent(tx.query, workspaceId, agentId, 'share')
  const { content } = await getRunnableAgent(tx, workspaceId, agentId)
  if ('schedule' in on) validateInput(content.inputSchema, input)
}

function scheduled(trigger: Omit<NewTrigger, 'nextRunAt'>, now: number): NewTrigger {
  const { on, isEnabled } = trigger
  const isTimed = isEnabled && 'schedule' in on
  return { ...trigger, nextRunAt: isTimed ? nextCronRun(on.schedule, on.timezone, new Date(now)) : null }
}
