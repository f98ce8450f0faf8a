import { agentVersionView, agentView } from '../agents/agent-view.ts'
import type { Operation } from '../context.ts'
import { listAgentVersionRows } from '../store/agents/agent-versions.ts'
import { findAgent, findAgents } from '../store/agents/agents.ts'

export const getAgent: Operation<'getAgent'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => agentView(await findAgent(db, caller.workspaceId, params.agent_id)))

export const listAgents: Operation<'listAgents'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findAgents(db, caller.workspaceId, query))
  return { items: items.map(agentView), nextCursor }
}

export const listAgentVersions: Operation<'listAgentVersions'> = async ({ database }, caller, { params, query }) => {
  const { agent, page } = await database.read(caller, async (db) => ({
    agent: await findAgent(db, caller.workspaceId, params.agent_id),
    page: await listAgentVersionRows(db, caller.workspaceId, params.agent_id, query),
  }))
  return { items: page.items.map((pair) => agentVersionView(pair, agent)), nextCursor: page.nextCursor }
}
