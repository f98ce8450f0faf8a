import type { ai, InputOf, RequestCaller, WorkspaceCaller } from '@wp/contracts'
import { checkDataSources } from '../agents/check-data-sources.ts'
import type { Context } from '../context.ts'
import { type TextMessage, toTextMessages } from '../conversations/message-text.ts'
import { checkModel } from '../models/check-model.ts'

export type ChatBody = InputOf<typeof ai.chat>['body']

/**
 * Checks what a chat refers to: its data sources may be read, its model can be used.
 * @returns the messages with their text
 * @throws Problem
 */
export async function checkChat(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { messages, data_source_ids: sourceIds = [], model }: ChatBody,
): Promise<TextMessage[]> {
  const texts = toTextMessages(messages, context.config.AI_CONTEXT_TOKENS)
  if (model !== undefined) await checkModel(context, caller, model)
  await checkDataSources(context, caller, sourceIds)
  return texts
}
