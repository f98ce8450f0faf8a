import { problem } from '@wp/contracts'
import { findExclusiveJob } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { cancelRun } from '../runs/change-run.ts'
import { agentRunQueue } from '../runs/queue.ts'
import { deleteConversationRows, lockOwnConversation } from '../store/conversations/conversations.ts'
import { eraseRunContent } from '../store/runs/runs.ts'

/**
 * Deletes a conversation of the caller with its messages and the content of its runs. A run in progress is cancelled;
 * none can start, because the conversation is locked.
 */
export const deleteConversation: Operation<'deleteConversation'> = ({ database, liveEvents }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId, principal } = caller
    const key = { workspaceId, conversationId: params.id }
    const row = await lockOwnConversation(tx.query, { ...key, principalId: principal.id })
    if (row === null) throw problem('not_found')
    const job = { workspaceId, queue: agentRunQueue, exclusive: params.id }
    const runId = await findExclusiveJob(tx.query, job)
    if (runId !== undefined) await cancelRun(tx, liveEvents, { workspaceId, runId })
    await eraseRunContent(tx.query, key)
    await deleteConversationRows(tx.query, key)
    return { id: params.id }
  })
