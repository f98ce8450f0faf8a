import type { agents, Operation } from '@wp/contracts'
import { agentVersionView } from '../agents/agent-view.ts'
import type { Context } from '../context.ts'
import { listAgentVersions as readPage } from '../store/agents/agent-versions.ts'
import { findAgent } from '../store/agents/agents.ts'

export const listAgentVersions: Operation<typeof agents.listAgentVersions, Context> = async (
  { database },
  caller,
  { params: { agent_id: id }, query },
) => {
  const { items, nextCursor } = await database.read(caller, async (db) => {
    await findAgent(db, caller.workspaceId, id)
    return readPage(db, caller.workspaceId, id, query)
  })
  return { items: items.map(agentVersionView), nextCursor }
}
