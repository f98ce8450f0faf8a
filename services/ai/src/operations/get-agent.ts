import type { agents, Operation } from '@wp/contracts'
import { agentView } from '../agents/agent-view.ts'
import type { Context } from '../context.ts'
import { findAgent } from '../store/agents/agents.ts'

export const getAgent: Operation<typeof agents.getAgent, Context> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => agentView(await findAgent(db, caller.workspaceId, params.agent_id)))
