import { invalidField, Problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { requireScope } from '@wp/service'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import { findBuiltIn } from '../blueprints/built-in.ts'
import type { Context } from '../context.ts'
import { beginTurn, type Turn } from '../conversations/begin-turn.ts'
import type { TextMessage } from '../conversations/message-text.ts'
import type { UnredactedRun } from '../runs/redact-run.ts'
import { behaviourOf, type RunBehaviour } from '../runs/run-input.ts'
import { readStartedRunView } from '../runs/run-view.ts'
import { startRun } from '../runs/start-run.ts'
import type { Agent } from '../store/agents/agents.ts'
import type { Tx } from '../store/client.ts'
import type { ChatBody } from './check-chat.ts'

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
export async function startChat(
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
