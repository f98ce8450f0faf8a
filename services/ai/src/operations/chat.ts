import {
  type AgentRun,
  type ai,
  IdempotentReplay,
  type InputOf,
  type RequestCaller,
  type ResultOf,
  type WorkspaceCaller,
} from '@wp/contracts'
import { chatResult } from '../chat/chat-result.ts'
import { checkChat } from '../chat/check-chat.ts'
import { startChat } from '../chat/start-chat.ts'
import type { Context, Operation } from '../context.ts'
import { acceptsEvents, streamResult, waitForResult } from '../runs/respond-to-run.ts'

type Input = InputOf<typeof ai.chat>

/**
 * Adds the message to its conversation and starts its run in one transaction, then streams the answer or waits for it.
 */
export const chat: Operation<'chat'> = async (context, caller, input) => {
  const messages = await checkChat(context, caller, input.body)
  try {
    return await respond(context, caller, input, await startChat(context, caller, input.body, messages))
  } catch (error) {
    // A replay answers with the same run in its present state.
    if (error instanceof IdempotentReplay && isStored(error.result))
      throw new IdempotentReplay(await respond(context, caller, input, error.result.data))
    throw error
  }
}

const isStored = (result: unknown): result is { data: AgentRun } =>
  typeof result === 'object' && result !== null && 'data' in result

/** @throws Problem `model_failed`, or `conflict` if the run was cancelled */
async function respond(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { body, headers, signal }: Input,
  { id: runId }: Pick<AgentRun, 'id'>,
): Promise<ResultOf<typeof ai.chat>> {
  const key = { runId, workspaceId: caller.workspaceId }
  const options = { signal, onDisconnect: body.on_disconnect }
  // Only the transport of the AI SDK sends a trigger, and it reads a stream whatever its `Accept` says.
  if (body.stream || body.trigger !== undefined || acceptsEvents(headers.accept))
    return streamResult(context, caller, key, options)
  return chatResult(await waitForResult(context, caller, key, options))
}
