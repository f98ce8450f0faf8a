import {
  type AgentState,
  type Autonomy,
  type agents,
  type Budget,
  type EvaluationGate,
  type InputOf,
  type Page,
  problem,
} from '@wp/contracts'
import { afterCursor, definedFields, matchMetadata, matchName, paginate, type Row } from '@wp/database'
import { type Agent as Model, Prisma } from '#db'
import type { Db, Tx } from '../client.ts'
import {
  type AgentContent,
  type AgentVersion,
  addAgentVersion,
  findAgentVersion,
  findAgentVersions,
  insertAgentVersion,
} from './agent-versions.ts'

/** An agent with the content of its current version. */
export interface Agent extends Row<Model, 'externalId' | 'createdAt' | 'updatedAt'> {
  agentId: string
  version: number
  content: AgentContent
  status: AgentState
  budget: Budget
  /** Condition for another version to become the current one. */
  gate: EvaluationGate | null
  autonomy: Autonomy
  metadata: Record<string, string>
}

export type AgentFilter = InputOf<typeof agents.listAgents>['query']

/** Returns one page of the agents of a workspace, newest first. */
export async function findAgents(db: Db, workspaceId: string, filter: AgentFilter): Promise<Page<Agent>> {
  const { limit, cursor, name, search, status, blueprint_id: blueprintId, external_id: externalId, metadata } = filter
  const rows = await db.agent.findMany({
    where: {
      workspaceId,
      ...definedFields({ status, blueprintId, externalId }),
      ...matchName({ name, search }),
      ...matchMetadata(metadata),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, (row) => row)
  // Versions never change, so the second read fits the first.
  const contents = await findAgentVersions(db, workspaceId, items)
  return { items: items.flatMap((row) => toAgent(row, contents.get(row.id)) ?? []), nextCursor }
}

/** @throws Problem `not_found` */
export async function findAgent(db: Db, workspaceId: string, agentId: string): Promise<Agent> {
  const row = await db.agent.findFirst({ where: { workspaceId, id: agentId } })
  if (row === null) throw problem('not_found')
  return await withCurrentVersion(db, row)
}

/**
 * Returns an agent and locks it until the end of the transaction. `share`: several transactions at once, for those that
 * start a run or rely on its version. `update`: one alone, for a change or the deletion.
 * @throws Problem `not_found`
 */
export async function findAndLockAgent(
  { db, query }: Pick<Tx, 'db' | 'query'>,
  workspaceId: string,
  agentId: string,
  mode: 'share' | 'update',
): Promise<Agent> {
  const lock = mode === 'share' ? 'FOR SHARE' : 'FOR UPDATE'
  const [row] = await query<Model>(
    `SELECT id, workspace_id, current_version, name, status, budget, gate, autonomy, blueprint_id, metadata, external_id,
       created_at, updated_at
     FROM agents WHERE workspace_id = $1 AND id = $2 ${lock}`,
    [workspaceId, agentId],
    `lock_agent_${mode}`,
  )
  if (row === undefined) throw problem('not_found')
  return await withCurrentVersion(db, row)
}

async function withCurrentVersion(db: Db, row: Model): Promise<Agent> {
  const version = await findAgentVersion(db, row.workspaceId, row.id, row.currentVersion)
  if (version === null) throw problem('not_found')
  return toStoredAgent(row, version.content)
}

export interface NewAgent
  extends Pick<Agent, 'agentId' | 'content' | 'status' | 'budget' | 'autonomy' | 'metadata' | 'externalId'> {
  createdBy: string
}

/** Inserts an agent with its first version. */
export async function insertAgent(db: Db, workspaceId: string, agent: NewAgent): Promise<Agent> {
  const { agentId, content, status, budget, autonomy, metadata, externalId, createdBy } = agent
  const { name, blueprintId } = content
  const row = await db.agent.create({
    data: { id: agentId, workspaceId, name, blueprintId, status, budget, autonomy, metadata, externalId },
  })
  await insertAgentVersion(db, { workspaceId, agentId, version: row.currentVersion, content, createdBy })
  return toStoredAgent(row, content)
}

/** A change of an agent. With `newContent` it gets a new version. */
export interface AgentChanges
  extends Partial<Pick<Agent, 'status' | 'budget' | 'gate' | 'autonomy' | 'metadata' | 'externalId'>> {
  newContent?: AgentContent
  /** Makes this version the current one. */
  activated?: Pick<AgentVersion, 'version' | 'content'>
  changedBy: string
  updatedAt: Date
}

/** Changes a locked agent. */
export async function updateAgentRow(
  db: Db,
  workspaceId: string,
  { agentId, content }: Pick<Agent, 'agentId' | 'content'>,
  { newContent, activated, changedBy, gate, ...plain }: AgentChanges,
): Promise<Agent> {
  const columns = { ...plain, ...(gate === undefined ? {} : { gate: gate ?? Prisma.DbNull }) }
  const current =
    newContent === undefined
      ? activated
      : await addAgentVersion(db, { workspaceId, agentId, content: newContent, createdBy: changedBy })
  if (current === undefined)
    return toStoredAgent(await db.agent.update({ where: { id: agentId }, data: columns }), content)
  const data = { ...columns, currentVersion: current.version, name: current.content.name }
  return toStoredAgent(await db.agent.update({ where: { id: agentId }, data }), current.content)
}

/** Deletes an agent. Its versions stay, for its runs. */
export async function deleteAgentRow(db: Db, workspaceId: string, agentId: string): Promise<void> {
  await db.agent.deleteMany({ where: { workspaceId, id: agentId } })
}

const toAgent = (row: Model, content: AgentContent | undefined): Agent | undefined =>
  content === undefined ? undefined : toStoredAgent(row, content)

const toStoredAgent = (row: Model, content: AgentContent): Agent => ({
  agentId: row.id,
  version: row.currentVersion,
  content,
  externalId: row.externalId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  // Written by this service alone, with these types.
  status: row.status as AgentState,
  budget: row.budget as Budget,
  gate: row.gate as EvaluationGate | null,
  autonomy: row.autonomy as Autonomy,
  metadata: row.metadata as Agent['metadata'],
})
