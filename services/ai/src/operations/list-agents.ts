import type { agents, Operation } from '@wp/contracts'
import { agentView } from '../agents/agent-view.ts'
import type { Context } from '../context.ts'
import { listAgents as readPage } from '../store/agents/agents.ts'

export const listAgents: Operation<typeof agents.listAgents, Context> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => readPage(db, caller.workspaceId, query))
  return { items: items.map(agentView), nextCursor }
}
