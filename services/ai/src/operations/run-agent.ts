import {
  type AgentRun,
  type ai,
  EventStream,
  IdempotentReplay,
  type InputOf,
  type Operation,
  type RequestCaller,
  type ServerSentEvent,
  type WorkspaceCaller,
} from '@wp/contracts'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import type { Context } from '../context.ts'
import { cancelOnDisconnect, isDisconnected } from '../runs/cancel-on-disconnect.ts'
import { messagesOf, shownInput } from '../runs/request-messages.ts'
import type { RunInput } from '../runs/run-input.ts'
import { readRunView } from '../runs/run-view.ts'
import { startRun } from '../runs/start-run.ts'
import { streamRun } from '../runs/stream-run.ts'
import { hasEnded, waitForRun } from '../runs/wait-for-run.ts'
import type { Agent } from '../store/agents/agents.ts'
import type { Chunk } from '../streams/chunk.ts'

/** Time after which a run that has not ended is answered 202, well below the limit of the edge. */
const maxWaitMs = 240_000

type Input = InputOf<typeof ai.runAgent>

/** Starts the run in one transaction with the version of the agent, then streams it or waits for its end. */
export const runAgent: Operation<typeof ai.runAgent, Context> = async (context, caller, input) => {
  const { body } = input
  if (body.background) return { status: 'accepted', data: await start(context, caller, input) }
  try {
    return await respond(context, caller, input, await start(context, caller, input))
  } catch (error) {
    // A replay answers with the same run in its present state.
    if (error instanceof IdempotentReplay && isStored(error.result))
      throw new IdempotentReplay(await respond(context, caller, input, error.result.data))
    throw error
  }
}

const isStored = (result: unknown): result is { data: AgentRun } =>
  typeof result === 'object' && result !== null && 'data' in result

async function start(context: Context, caller: RequestCaller<WorkspaceCaller>, input: Input): Promise<AgentRun> {
  const { params, body } = input
  const { data } = await context.database.transact(caller, async (tx) => {
    const agent = await getRunnableAgent(tx, caller.workspaceId, params.agent_id)
    const job = await startRun(tx, caller, {
      agent: { agentId: agent.agentId, version: agent.version },
      conversationId: body.conversation_id ?? null,
      input: runInput(agent, body),
      metadata: body.metadata,
      externalId: body.external_id,
    })
    const run = await readRunView(tx.query, { runId: job.id, workspaceId: caller.workspaceId })
    if (run === null) throw new Error(`the run ${job.id} was not written`)
    return { status: 'accepted' as const, data: run }
  })
  return data
}

function runInput({ content }: Agent, body: Input['body']): RunInput {
  const { instructions, model, tools, dataSourceIds } = content
  return {
    behaviour: { instructions, model, tools, dataSourceIds },
    messages: messagesOf(body),
    shown: shownInput(body),
    maxSteps: body.max_steps,
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
  const cancels = body.on_disconnect === 'cancel'
  if (body.stream || acceptsEvents(headers.accept))
    return new EventStream(streamOrCancel(context, caller, key, { signal, cancels }))
  try {
    const run = await waitForRun(context, caller, key, { signal, maxMs: maxWaitMs })
    if (run === null) throw new Error(`the run ${id} is gone`)
    return { status: hasEnded(run) ? 'ok' : 'accepted', data: run }
  } catch (error) {
    if (cancels && isDisconnected(signal)) await cancelOnDisconnect(context, caller, key)
    throw error
  }
}

async function* streamOrCancel(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  key: { runId: string; workspaceId: string },
  { signal, cancels }: { signal: AbortSignal; cancels: boolean },
): AsyncGenerator<ServerSentEvent<Chunk>> {
  try {
    yield* streamRun(context, caller, key, { after: 0, signal })
  } finally {
    if (cancels && isDisconnected(signal)) await cancelOnDisconnect(context, caller, key)
  }
}

const acceptsEvents = (accept: string | undefined): boolean =>
  accept?.split(',').some((type) => type.trim().toLowerCase().startsWith('text/event-stream')) === true
