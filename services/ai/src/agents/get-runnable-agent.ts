import { problem } from '@wp/contracts'
import { type Agent, findAndLockAgent } from '../store/agents/agents.ts'
import type { Tx } from '../store/client.ts'

/**
 * Returns the agent that a run is about to be started with, in its current version, which the run pins. Locks the agent
 * until the end of the transaction: a run that is started with it was started before the agent is changed, archived or
 * deleted, and the deletion finds and cancels it.
 * @throws Problem `agent_archived`; `not_found` if the workspace has no such agent
 */
export async function getRunnableAgent(tx: Tx, workspaceId: string, agentId: string): Promise<Agent> {
  const agent = await findAndLockAgent(tx, workspaceId, agentId, 'share')
  if (agent.status === 'archived')
    throw problem('agent_archived', { detail: `The agent ${agentId} is archived; set its status to active to run it` })
  return agent
}
