import { cancelRuns } from '../agents/cancel-runs.ts'
import type { Operation } from '../context.ts'
import { enqueueRelease } from '../integration-uses/agent-uses.ts'
import { integrationIdsOf } from '../integration-uses/integration-references.ts'
import { deleteAgentRow, findAgent, lockAgent } from '../store/agents/agents.ts'
import { deleteTriggersOf } from '../store/triggers/triggers.ts'

/** Deletes an agent and cancels its runs. Its versions stay, for its runs. */
export const deleteAgent: Operation<'deleteAgent'> = (
  { database, liveEvents },
  caller,
  { params: { agent_id: agentId } },
) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockAgent(tx.query, workspaceId, agentId, 'update')
    const { content } = await findAgent(tx.db, workspaceId, agentId)
    await cancelRuns(tx, liveEvents, { workspaceId, agentId })
    await deleteTriggersOf(tx.db, workspaceId, agentId)
    await deleteAgentRow(tx.db, workspaceId, agentId)
    for (const integrationId of integrationIdsOf(content))
      await enqueueRelease(tx, { resourceId: agentId, integrationId })
    return { id: agentId }
  })
