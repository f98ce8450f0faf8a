import { type agents, type InputOf, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { retryOnConflict } from '@wp/database'
import { requireScope } from '@wp/service'
import { patchAgentContent } from '../agents/agent-content.ts'
import { agentVersionView, agentView, versionChanges } from '../agents/agent-view.ts'
import { checkDataSources } from '../agents/check-data-sources.ts'
import { checkInputSchema } from '../agents/input-schema/input-schema.ts'
import {
  addedReferences,
  changeWithIntegrations,
  enqueueRelease,
  integrationIdsOf,
} from '../agents/integration-references.ts'
import type { Context, Operation } from '../context.ts'
import { gateNotPassed, readGateVerdict } from '../evaluations/read-gate.ts'
import { checkPrice, costLimitsOf } from '../models/check-price.ts'
import { type AgentVersion, addAgentVersion, findAgentVersion } from '../store/agents/agent-versions.ts'
import { type Agent, findAgent, findAndLockAgent, updateAgentRow } from '../store/agents/agents.ts'
import type { Db, Tx } from '../store/client.ts'
import { changeTriggerCallers } from '../store/triggers/triggers.ts'
import { isSameModel, readBlueprint, readTriggerLimits } from './update-agent.ts'

export const getAgentVersion: Operation<'getAgentVersion'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => {
    const agent = await findAgent(db, caller.workspaceId, params.agent_id)
    const version = await requireVersion(db, caller.workspaceId, agent, Number(params.version))
    return agentVersionView(await withBefore(db, caller.workspaceId, version), agent)
  })

async function requireVersion(db: Db, workspaceId: string, { agentId }: Agent, number: number): Promise<AgentVersion> {
  const version = await findAgentVersion(db, workspaceId, agentId, number)
  if (version === null) throw problem('not_found')
  return version
}

async function withBefore(db: Db, workspaceId: string, version: AgentVersion) {
  const before = await findAgentVersion(db, workspaceId, version.agentId, version.version - 1)
  return { version, before: before ?? undefined }
}

type NewVersion = InputOf<typeof agents.createAgentVersion>

/** Creates a version that is not active. What it uses is checked as if it were, and again when it becomes active. */
export const createAgentVersion: Operation<'createAgentVersion'> = (context, caller, input) =>
  retryOnConflict('agent', () => create(context, caller, input))

async function create(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { params: { agent_id: agentId }, body }: NewVersion,
) {
  const { workspaceId, principal } = caller
  const before = await context.database.read(caller, (db) => findAgent(db, workspaceId, agentId))
  const content = patchAgentContent(
    before.content,
    body,
    await readBlueprint(context, workspaceId, before.content, body),
  )
  checkInputSchema(body.input_schema)
  await checkDataSources(context, caller, body.data_source_ids ?? [], before.content.dataSourceIds)
  const references = addedReferences(content, before.content, body, '/blueprint_version')
  return changeWithIntegrations(context, caller, { resourceId: agentId, references }, async (tx) => {
    const agent = await findAndLockAgent(tx, workspaceId, agentId, 'update')
    const version = await addAgentVersion(tx.db, { workspaceId, agentId, content, createdBy: principal.id })
    // The version does not hold the integrations: they may be deleted before it becomes active.
    for (const { integrationId } of references) await enqueueRelease(tx, { resourceId: agentId, integrationId })
    tx.audit({
      changes: { version: version.version, fields: versionChanges(agent.content, content).map(({ field }) => field) },
    })
    return agentVersionView(await withBefore(tx.db, workspaceId, version), agent)
  })
}

/** Makes a version the active one, if the gate of the agent lets it pass. */
export const activateAgentVersion: Operation<'activateAgentVersion'> = (context, caller, input) =>
  retryOnConflict('agent', () => activate(context, caller, input))

async function activate(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { params, body: { override } }: InputOf<typeof agents.activateAgentVersion>,
) {
  const { workspaceId, principal } = caller
  const { agent_id: agentId } = params
  if (override !== undefined) requireScope(caller, 'agents:gate', 'Activating a version against the gate')
  const { before, target } = await context.database.read(caller, async (db) => {
    const agent = await findAgent(db, workspaceId, agentId)
    return { before: agent, target: await requireVersion(db, workspaceId, agent, Number(params.version)) }
  })
  await checkDataSources(context, caller, target.content.dataSourceIds, before.content.dataSourceIds)
  const { model } = target.content
  if (!isSameModel(before.content.model, model))
    await checkPrice(context, caller, model, [
      ...costLimitsOf('the agent', before.budget, '/version'),
      ...(await readTriggerLimits(context, caller, agentId, '/version')),
    ])
  const references = addedReferences(target.content, before.content, {}, '/version')
  return changeWithIntegrations(context, caller, { resourceId: agentId, references }, async (tx) => {
    const agent = await findAndLockAgent(tx, workspaceId, agentId, 'update')
    if (agent.version !== before.version)
      throw problem('conflict', { detail: `Version ${agent.version} became the active one at the same time` })
    if (agent.version === target.version) return agentView(agent)
    const overridden = await passGate(tx, workspaceId, agent, target.version, override !== undefined)
    const using = integrationIdsOf(target.content)
    for (const integrationId of integrationIdsOf(agent.content))
      if (!using.includes(integrationId)) await enqueueRelease(tx, { resourceId: agentId, integrationId })
    // Its triggers act for the one who decides what it does, so that no change lends the rights of another.
    await changeTriggerCallers(tx.db, agentId, caller)
    tx.audit({
      changes: {
        version: target.version,
        before: agent.version,
        ...(overridden ? { gate_overridden: true, reason: override?.reason } : {}),
      },
    })
    const write = { activated: target, changedBy: principal.id, updatedAt: new Date(context.now()) }
    return agentView(await updateAgentRow(tx.db, workspaceId, agent, write))
  })
}

/** @returns true if the gate was overridden @throws Problem `gate_not_passed` */
async function passGate(tx: Tx, workspaceId: string, agent: Agent, version: number, mayOverride: boolean) {
  if (agent.gate === null) return false
  const verdict = await readGateVerdict(tx, workspaceId, agent, { gate: agent.gate, version })
  if (verdict.passes) return false
  if (!mayOverride) throw gateNotPassed(version, verdict)
  return true
}
