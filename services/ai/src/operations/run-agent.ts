import {
  type AgentRun,
  type ai,
  type CostLimit,
  type EventStream,
  IdempotentReplay,
  type InputOf,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import { validateInput } from '../agents/input-schema/input-schema.ts'
import type { Context, Operation } from '../context.ts'
import { beginTurn } from '../conversations/begin-turn.ts'
import { type TextMessage, toTextMessages } from '../conversations/message-text.ts'
import { checkPrice } from '../models/check-price.ts'
import { redactRun, type UnredactedRun } from '../runs/redact-run.ts'
import { acceptsEvents, hasEnded, streamResult, waitForResult } from '../runs/respond-to-run.ts'
import { behaviourOf, type RunInput } from '../runs/run-input.ts'
import { readStartedRunView } from '../runs/run-view.ts'
import { startRun } from '../runs/start-run.ts'
import { type Agent, findAgent } from '../store/agents/agents.ts'
import type { Chunk } from '../streams/chunk.ts'

type Input = InputOf<typeof ai.runAgent>

/** Starts the run in one transaction with the version of the agent, then streams it or waits for its end. */
export const runAgent: Operation<'runAgent'> = async (context, caller, input) => {
  try {
    if (input.body.background)
      return { status: 'accepted', data: redactRun(await start(context, caller, input), caller) }
    return await respond(context, caller, input, await start(context, caller, input))
  } catch (error) {
    if (!(error instanceof IdempotentReplay) || !isStored(error.result)) throw error
    const { data } = error.result
    if (input.body.background) throw new IdempotentReplay({ status: 'accepted', data: redactRun(data, caller) })
    // A replay answers with the same run in its present state.
    throw new IdempotentReplay(await respond(context, caller, input, data))
  }
}

const isStored = (result: unknown): result is { data: UnredactedRun } =>
  typeof result === 'object' && result !== null && 'data' in result

async function start(context: Context, caller: RequestCaller<WorkspaceCaller>, input: Input): Promise<UnredactedRun> {
  const { params, body } = input
  const { workspaceId } = caller
  const messages = requestMessages(body, context.config.AI_CONTEXT_TOKENS)
  if (body.max_cost !== undefined) await checkMaxCost(context, caller, params.agent_id, body.max_cost)
  const { data } = await context.database.transact(caller, async (tx) => {
    const agent = await getRunnableAgent(tx, workspaceId, params.agent_id)
    validateInput(agent.content.inputSchema, body.input)
    const { conversation_id: conversationId } = body
    if (conversationId !== undefined) await beginTurn(tx, caller, { conversationId, messages })
    const job = await startRun(tx, caller, {
      agent,
      conversationId: conversationId ?? null,
      input: runInput(agent, body, messages),
      metadata: body.metadata,
      externalId: body.external_id,
    })
    const run = await readStartedRunView(tx.query, { runId: job.id, workspaceId })
    if (run === null) throw new Error(`the run ${job.id} was not written`)
    return { status: 'accepted' as const, data: run }
  })
  return data
}

/**
 * Asserts that the model has a price for the limit of a request. A caller who may not read the integration of the model
 * may still run the agent: the run itself is refused then.
 */
async function checkMaxCost(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  agentId: string,
  limit: CostLimit,
): Promise<void> {
  const { content } = await context.database.read(caller, (db) => findAgent(db, caller.workspaceId, agentId))
  const { provider } = content.model
  if (provider !== 'local' && provider !== 'default' && !caller.scopes.includes('integrations:read')) return
  await checkPrice(context, caller, content.model, [{ pointer: '/max_cost', limit }])
}

function runInput({ content }: Agent, body: Input['body'], messages: readonly TextMessage[]): RunInput {
  // In a conversation the last message is new; the engine reads the others from the conversation.
  const sent = body.conversation_id === undefined ? messages : messages.slice(-1)
  return {
    behaviour: behaviourOf(content),
    messages: sent.map(({ role, content: text }) => ({ role, content: text })),
    shown: body.input ?? messages.at(-1)?.content ?? '',
    maxSteps: body.max_steps,
    maxTokens: body.max_tokens,
    maxCost: body.max_cost,
    timeoutMs: body.timeout_ms,
  }
}

async function respond(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { body, headers, signal }: Input,
  { id }: Pick<AgentRun, 'id'>,
): Promise<EventStream<Chunk> | { status: 'ok' | 'accepted'; data: AgentRun }> {
  const key = { runId: id, workspaceId: caller.workspaceId }
  const options = { signal, onDisconnect: body.on_disconnect }
  if (body.stream || acceptsEvents(headers.accept)) return streamResult(context, caller, key, options)
  const run = await waitForResult(context, caller, key, options)
  return { status: hasEnded(run) ? 'ok' : 'accepted', data: run }
}

type RequestBody = Pick<Input['body'], 'input' | 'messages'>

/**
 * Returns the messages of a request; an object as input is one message of JSON.
 * @param contextTokens tokens that a model is sent at most
 * @throws Problem `validation_failed`
 */
function requestMessages({ input, messages }: RequestBody, contextTokens: number): [...TextMessage[], TextMessage] {
  if (messages !== undefined) return toTextMessages(messages, contextTokens)
  return [{ id: undefined, role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input) }]
}
