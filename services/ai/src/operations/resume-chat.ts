import { ai, type HttpResult, problem, type WorkspaceCaller } from '@wp/contracts'
import { findExclusiveJob } from '@wp/jobs'
import { eventStreamResponse } from '@wp/service'
import type { Context, Operation } from '../context.ts'
import { agentRunQueue } from '../runs/queue.ts'
import { streamRun } from '../runs/stream-run.ts'
import { findOwnConversation } from '../store/conversations/conversations.ts'

/** Longest pause without a byte, in milliseconds, so that proxies keep the connection open. */
const keepAliveMs = 15_000

const noContent: HttpResult = { status: 204, headers: {}, body: '' }

/**
 * Streams the answer in progress of a chat from its beginning, by the reconnect protocol of the AI SDK: its client has
 * lost what it had received before, and takes 204 for "nothing to resume".
 */
export const resumeChat: Operation<'resumeChat'> = async (context, caller, { params: { id }, signal }) => {
  const runId = await findRunInProgress(context, caller, id)
  if (runId === undefined) return noContent
  const key = { runId, workspaceId: caller.workspaceId }
  const events = streamRun(context, caller, key, { after: 0, signal })
  const { status, headers, body } = eventStreamResponse(ai.resumeChat, events, {
    signal,
    keepAliveMs,
  })
  return { status, headers, body: body() }
}

/** @throws Problem `not_found` for a conversation that is not the caller's; a chat without one has not begun */
const findRunInProgress = ({ database }: Context, caller: WorkspaceCaller, id: string): Promise<string | undefined> =>
  database.read(caller, async (_db, query) => {
    const { workspaceId, principal } = caller
    const isConversationId = id.startsWith('conv_')
    const owner = { workspaceId, principalId: principal.id }
    const own = await findOwnConversation(
      query,
      isConversationId ? { ...owner, conversationId: id } : { ...owner, chatId: id },
    )
    if (own !== null) return findExclusiveJob(query, { workspaceId, queue: agentRunQueue, exclusive: own.id })
    if (isConversationId) throw problem('not_found')
    return undefined
  })
