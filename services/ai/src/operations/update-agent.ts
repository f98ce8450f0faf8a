import { isDeepStrictEqual } from 'node:util'
import {
  type agents,
  type InputOf,
  invalidField,
  type Model,
  problem,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { ConcurrentChangeError, definedFields, mergeMetadata, retryOnConflict } from '@wp/database'
import { requireScope } from '@wp/service'
import { type BlueprintReference, patchAgentContent } from '../agents/agent-content.ts'
import { agentView, versionChanges } from '../agents/agent-view.ts'
import { checkDataSources } from '../agents/check-data-sources.ts'
import { checkInputSchema } from '../agents/input-schema/input-schema.ts'
import {
  addedReferences,
  changeWithIntegrations,
  enqueueRelease,
  integrationIdsOf,
  withoutReferences,
} from '../agents/integration-references.ts'
import { resolveBlueprint } from '../blueprints/resolve-blueprint.ts'
import type { Context, Operation } from '../context.ts'
import { checkPrice, costLimitsAt, costLimitsOf, type NamedLimit } from '../models/check-price.ts'
import { changeBudget } from '../runs/budgets.ts'
import type { AgentContent } from '../store/agents/agent-versions.ts'
import { type Agent, type AgentChanges, findAgent, findAndLockAgent, updateAgentRow } from '../store/agents/agents.ts'
import { readEvaluationSet } from '../store/evaluations/sets.ts'
import { changeTriggerCallers, findTriggerBudgets } from '../store/triggers/triggers.ts'

type Update = Operation<'updateAgent'>
type Patch = InputOf<typeof agents.updateAgent>['body']

/** Changes an agent. Its content gets a new version if it changes. */
export const updateAgent: Update = (context, caller, input) =>
  retryOnConflict('agent', () => update(context, caller, input))

const update: Update = async (context, caller, { params: { agent_id: agentId }, body }) => {
  const { workspaceId, principal } = caller
  const before = await context.database.read(caller, (db) => findAgent(db, workspaceId, agentId))
  const blueprint = await readBlueprint(context, workspaceId, before.content, body)
  if (body.gate !== undefined) await checkGate(context, caller, body.gate)
  checkInputSchema(body.input_schema)
  await checkDataSources(context, caller, body.data_source_ids ?? [], before.content.dataSourceIds)
  const after = patchAgentContent(before.content, body, blueprint)
  if (body.budget !== undefined || !isSameModel(before.content.model, after.model))
    await checkPrice(context, caller, after.model, [
      ...costLimitsAt('/budget', changeBudget(before.budget, body.budget ?? {})),
      ...(await readTriggerLimits(
        context,
        caller,
        agentId,
        body.model === undefined ? '/blueprint_version' : '/model',
      )),
    ])
  const references = addedReferences(after, before.content, body, '/blueprint_version')
  return changeWithIntegrations(context, caller, { resourceId: agentId, references }, async (tx) => {
    const current = await findAndLockAgent(tx, workspaceId, agentId, 'update')
    const content = patchAgentContent(current.content, body, blueprint)
    const [used, using] = [integrationIdsOf(current.content), integrationIdsOf(content)]
    const added = addedReferences(content, current.content, body, '/blueprint_version')
    if (withoutReferences(added, references).length > 0)
      throw new ConcurrentChangeError('an integration of the agent was changed at the same time')
    const changed = versionChanges(current.content, content).map(({ field }) => field)
    if (changed.length > 0 && current.gate !== null) throw gateForbidsChange()
    const changes = { ...plainChanges(current, body), ...(changed.length > 0 ? { newContent: content } : {}) }
    tx.audit({ changes: { fields: [...changed, ...Object.keys(plainChanges(current, body))] } })
    if (Object.keys(changes).length === 0) return agentView(current)
    for (const integrationId of used)
      if (!using.includes(integrationId)) await enqueueRelease(tx, { resourceId: agentId, integrationId })
    // Its triggers act for the one who decides what it does, so that no change lends the rights of another.
    if (changed.length > 0 || changes.autonomy !== undefined) await changeTriggerCallers(tx.db, agentId, caller)
    const write = { ...changes, changedBy: principal.id, updatedAt: new Date(context.now()) }
    return agentView(await updateAgentRow(tx.db, workspaceId, current, write))
  })
}

/** Returns the limits in money of the triggers of an agent, which its model at a pointer must keep. */
export async function readTriggerLimits(
  { database }: Context,
  caller: RequestCaller<WorkspaceCaller>,
  agentId: string,
  pointer: string,
): Promise<NamedLimit[]> {
  const triggers = await database.read(caller, (db) => findTriggerBudgets(db, caller.workspaceId, agentId))
  return triggers.flatMap(({ id, budget }) => costLimitsOf(`trigger ${id}`, budget, pointer))
}

export const isSameModel = (one: Model, other: Model) => one.provider === other.provider && one.id === other.id

/** Reads the version of the blueprint that a request takes over; undefined for none. */
export async function readBlueprint(
  context: Context,
  workspaceId: string,
  { blueprintId }: AgentContent,
  { blueprint_version: version }: Pick<Patch, 'blueprint_version'>,
): Promise<BlueprintReference | undefined> {
  if (version === undefined) return undefined
  if (blueprintId === null) throw invalidField('/blueprint_version', 'the agent was not made from a blueprint')
  return resolveBlueprint(context, workspaceId, blueprintId, version)
}

const gateForbidsChange = () =>
  problem('gate_not_passed', {
    detail:
      'The agent has a gate, so a change needs an evaluation first: create a version, evaluate it, and activate it',
  })

/** @throws Problem `missing_scope`; `unknown_reference` with a pointer */
async function checkGate(
  { database }: Context,
  caller: RequestCaller<WorkspaceCaller>,
  gate: NonNullable<Patch['gate']> | null,
): Promise<void> {
  requireScope(caller, 'agents:gate', 'Setting the gate of an agent')
  if (gate === null) return
  const set = await database.read(caller, (db) => readEvaluationSet(db, caller.workspaceId, gate.evaluation_set_id))
  if (set === null)
    throw invalidField('/gate/evaluation_set_id', 'is not an evaluation set of this workspace', 'unknown_reference')
}

/** Returns the changed fields that belong to no version. */
function plainChanges(
  agent: Agent,
  { status, budget, gate, autonomy, metadata, external_id: externalId }: Patch,
): Pick<AgentChanges, 'status' | 'budget' | 'gate' | 'autonomy' | 'metadata' | 'externalId'> {
  const given = definedFields({
    status,
    gate,
    autonomy,
    externalId,
    budget: budget && changeBudget(agent.budget, budget),
    metadata: mergeMetadata(agent.metadata, metadata),
  })
  const isChanged = ([name, value]: [string, unknown]) => !isDeepStrictEqual(value, agent[name as keyof Agent]) // names of `given`
  return Object.fromEntries(Object.entries(given).filter(isChanged))
}
