import { cancelRuns } from '../agents/cancel-runs.ts'
import type { Operation } from '../context.ts'
import { enqueueRelease } from '../integration-uses/agent-uses.ts'
import { integrationIdsOf } from '../integration-uses/integration-references.ts'
import { deleteAgentRow, findAndLockAgent } from '../store/agents/agents.ts'
import { deleteTriggersOf } from '../store/triggers/triggers.ts'

/** Deletes an agent and cancels its runs. Its versions stay, for its runs. */
export const deleteAgent: Operation<'deleteAgent'> = ({ database, liveEvents }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    const { content } = await findAndLockAgent(tx, workspaceId, params.agent_id, 'update')
    await cancelRuns(tx, liveEvents, { workspaceId, agentId: params.agent_id })
    await deleteTriggersOf(tx.db, workspaceId, params.agent_id)
    await deleteAgentRow(tx.db, workspaceId, params.agent_id)
    for (const integrationId of integrationIdsOf(content))
      await enqueueRelease(tx, { resourceId: params.agent_id, integrationId })
    return { id: params.agent_id }
  })
