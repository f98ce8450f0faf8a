import {
  type AgentRun,
  type ai,
  IdempotentReplay,
  type InputOf,
  invalidField,
  Problem,
  problem,
  type RequestCaller,
  type ResponseOf,
  type ResultOf,
  type WorkspaceCaller,
} from '@wp/contracts'
import { requireScope } from '@wp/service'
import { checkDataSources } from '../agents/check-data-sources.ts'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import { findBuiltIn } from '../blueprints/built-in.ts'
import type { Context, Operation } from '../context.ts'
import { beginTurn, type Turn } from '../conversations/begin-turn.ts'
import { type TextMessage, toTextMessages } from '../conversations/message-text.ts'
import { checkModel } from '../models/check-model.ts'
import type { UnredactedRun } from '../runs/redact-run.ts'
import { acceptsEvents, streamResult, waitForResult } from '../runs/respond-to-run.ts'
import { behaviourOf, type RunBehaviour } from '../runs/run-input.ts'
import { readStartedRunView } from '../runs/run-view.ts'
import { startRun } from '../runs/start-run.ts'
import type { Agent } from '../store/agents/agents.ts'
import type { Tx } from '../store/client.ts'

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

/**
 * Returns the response for the run of a chat: its answer, or the run itself while it has not ended.
 * @throws Problem `model_failed` if it failed, `conflict` if it was cancelled
 */
function chatResult(run: AgentRun): ResponseOf<typeof ai.chat> {
  const {
    id: runId,
    conversation_id: conversationId,
    status,
    error,
    output,
    citations,
    usage,
    warnings,
    finish_reason,
    redacted,
  } = run
  const extra = { run_id: runId, conversation_id: conversationId }
  if (status === 'queued' || status === 'running') return { status: 'accepted', data: run }
  if (status === 'failed' && error !== null)
    throw problem('model_failed', { detail: error.message, extra: { ...extra, error } })
  if (status === 'cancelled') throw problem('conflict', { detail: 'The run of the chat was cancelled', extra })
  if (conversationId === null) throw new Error(`the run ${runId} of a chat has no conversation`)
  const message = { id: runId, role: 'assistant' as const, content: output ?? '' }
  const shared = { citations, usage, finish_reason, warnings }
  const data = {
    message,
    ...shared,
    conversation_id: conversationId,
    run_id: runId,
    redacted: redacted.filter((part) => part === 'citations'),
  }
  return { status: 'ok', data }
}

/** The run of a chat, as the idempotency key stores it. */
interface StartedChat {
  status: 'accepted'
  data: UnredactedRun
}

/**
 * Adds the message to its conversation and starts the run that answers it, in one transaction.
 * @param messages of the request; only the last one is sent to the engine, which reads the others from the conversation
 * @throws Problem; IdempotentReplay with the StartedChat
 */
async function startChat(
  { database, config }: Pick<Context, 'database' | 'config'>,
  caller: RequestCaller<WorkspaceCaller>,
  body: ChatBody,
  messages: readonly TextMessage[],
): Promise<UnredactedRun> {
  const { workspaceId } = caller
  const { data } = await database.transact(caller, async (tx): Promise<StartedChat> => {
    const { conversation_id: conversationId, id: chatId, agent_id: newAgentId } = body
    const turn = await beginTurn(tx, caller, { conversationId, chatId, agentId: newAgentId, messages })
    const agent = await findAgent(tx, caller, body, turn)
    const question = messages.at(-1)?.content ?? ''
    const job = await startRun(tx, caller, {
      agent,
      conversationId: turn.conversationId,
      input: {
        behaviour: agent === null ? chatBehaviour(body, config.AI_MODEL !== undefined) : behaviourOf(agent.content),
        messages: [{ role: 'user', content: question }],
        shown: question,
        maxSteps: body.max_steps,
        maxTokens: body.max_tokens,
        maxCost: body.max_cost,
        timeoutMs: body.timeout_ms,
      },
    })
    const run = await readStartedRunView(tx.query, { runId: job.id, workspaceId })
    if (run === null) throw new Error(`the run ${job.id} was not written`)
    return { status: 'accepted', data: run }
  })
  return data
}

/**
 * Returns the agent of the request, or that of the conversation; null for a chat with a model and sources of its own.
 */
async function findAgent(
  tx: Tx,
  caller: WorkspaceCaller,
  { agent_id: requested, model, data_source_ids: sourceIds }: ChatBody,
  turn: Turn,
): Promise<Agent | null> {
  const hasOwnSettings = model !== undefined || sourceIds !== undefined
  const agentId = requested ?? (hasOwnSettings ? null : turn.agentId)
  if (agentId === null) return null
  requireScope(caller, 'agents:run', 'Chatting with an agent')
  return getRunnableAgent(tx, caller.workspaceId, agentId).catch((error: unknown) => {
    if (requested === undefined || !(error instanceof Problem) || error.code !== 'not_found') throw error
    throw invalidField('/agent_id', 'is not an agent of this workspace', 'unknown_reference')
  })
}

/** A chat without an agent answers questions from data. */
const chatBehaviour = ({ model, data_source_ids: sourceIds }: ChatBody, hasDefaultModel: boolean): RunBehaviour => ({
  instructions: findBuiltIn('question_answering')?.versions.at(-1)?.content.instructions ?? '',
  model: model ?? { provider: hasDefaultModel ? 'default' : 'local' },
  tools: ['search_data', 'list_sources', 'read_record', 'aggregate_records'],
  dataSourceIds: sourceIds ?? [],
})

type ChatBody = InputOf<typeof ai.chat>['body']

/**
 * Checks what a chat refers to: its data sources may be read, its model can be used.
 * @returns the messages with their text
 * @throws Problem
 */
async function checkChat(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { messages, data_source_ids: sourceIds = [], model }: ChatBody,
): Promise<TextMessage[]> {
  const texts = toTextMessages(messages, context.config.AI_CONTEXT_TOKENS)
  if (model !== undefined) await checkModel(context, caller, model)
  await checkDataSources(context, caller, sourceIds)
  return texts
}
