import {
  ai,
  type HttpResult,
  invalidField,
  type OpenAiModel,
  type OpenAiRequest,
  Problem,
  problem,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { eventStreamResponse, requireScope } from '@wp/service'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import type { Context, Operation } from '../context.ts'
import { listAvailableModels } from '../models/available-models.ts'
import { checkModel } from '../models/check-model.ts'
import { AnswerFailed, answerParts, collectCompletion, completionChunks } from '../openai/completion.ts'
import { modelOf, openAiModelId, settingsOf, toClientTools, toRunMessages } from '../openai/read-request.ts'
import { streamResult } from '../runs/respond-to-run.ts'
import { behaviourOf, type RunBehaviour, type RunInput } from '../runs/run-input.ts'
import { startRun } from '../runs/start-run.ts'
import { type Agent, findAgents, findAgent as getAgent } from '../store/agents/agents.ts'

/** Longest pause without a byte, in milliseconds, so that proxies keep the connection open. */
const keepAliveMs = 15_000

type Caller = RequestCaller<WorkspaceCaller>

/** Answers a request of a client of OpenAI. */
export const createOpenAiCompletion: Operation<'createOpenAiCompletion'> = async (context, caller, { body, signal }) =>
  answer(context, caller, { request: body, runId: await start(context, caller, body), signal })

interface Started {
  request: OpenAiRequest
  runId: string
  signal: AbortSignal
}

async function answer(context: Context, caller: Caller, { request, runId, signal }: Started): Promise<HttpResult> {
  const clientTools = new Set(toClientTools(request).map(({ name }) => name))
  const key = { runId, workspaceId: caller.workspaceId }
  // The client has no other way to the answer than this connection.
  const { events } = streamResult(context, caller, key, { signal, onDisconnect: 'cancel' })
  const parts = answerParts(events, { runId, clientTools })
  const head = { id: `chatcmpl-${runId}`, created: Math.floor(context.now() / 1_000), model: request.model }
  if (request.stream === true) {
    const chunks = completionChunks(parts, head, request.stream_options?.include_usage === true)
    const streamed = eventStreamResponse(ai.createOpenAiCompletion, chunks, { signal, keepAliveMs })
    return { status: streamed.status, headers: streamed.headers, body: streamed.body() }
  }
  try {
    return jsonResult(200, await collectCompletion(parts, head))
  } catch (error) {
    if (!(error instanceof AnswerFailed)) throw error
    throw problem('model_failed', { detail: error.message, extra: { run_id: runId } })
  }
}

/** Starts the run of a request. @returns its id */
async function start(context: Context, caller: Caller, request: OpenAiRequest): Promise<string> {
  const messages = toRunMessages(request.messages)
  const model = modelOf(request.model)
  if (model !== undefined) await checkModel(context, caller, model)
  const input = (behaviour: RunBehaviour): RunInput => ({
    behaviour: { ...behaviour, model: { ...behaviour.model, ...settingsOf(request) } },
    messages,
    clientTools: toClientTools(request),
    shown: shownOf(request),
    maxTokens: undefined,
    maxSteps: defaultSteps,
    timeoutMs: defaultTimeoutMs,
  })
  return context.database.transact(caller, async (tx) => {
    const agent = model === undefined ? await findAgent(tx, caller, request.model) : null
    const behaviour =
      agent === null
        ? { instructions: '', model: model ?? { provider: 'local' }, tools: [], dataSourceIds: [] }
        : behaviourOf(agent.content)
    if (agent?.autonomy === 'ask' && toClientTools(request).length > 0)
      throw invalidField('/tools', 'must be left out: the agent asks a person before every call')
    const { id } = await startRun(tx, caller, { agent, conversationId: null, input: input(behaviour) })
    tx.audit({ action: 'agent_run.started', targets: [{ type: 'agent_run', id }] })
    return id
  })
}

const [defaultSteps, defaultTimeoutMs] = [10, 300_000]

const shownOf = ({ messages }: OpenAiRequest): unknown =>
  messages.findLast(({ role }) => role === 'user')?.content ?? ''

async function findAgent(tx: Parameters<typeof getRunnableAgent>[0], caller: Caller, id: string): Promise<Agent> {
  requireScope(caller, 'agents:run', 'Answering as an agent')
  return getRunnableAgent(tx, caller.workspaceId, id).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw invalidField('/model', 'is no agent or model of this workspace', 'unknown_reference')
  })
}

const jsonResult = (status: number, body: unknown, headers: HttpResult['headers'] = {}): HttpResult => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

const maxAgents = 100

/** Lists agents by their identifier, and models by the names that a request takes. */
export const listOpenAiModels: Operation<'listOpenAiModels'> = async (context, caller) => {
  const { items: agents } = caller.scopes.includes('agents:read')
    ? await context.database.read(caller, (db) => findAgents(db, caller.workspaceId, { limit: maxAgents }))
    : { items: [] }
  return jsonResult(200, { object: 'list', data: [...agents.flatMap(asModel), ...(await modelsFor(context, caller))] })
}

export const getOpenAiModel: Operation<'getOpenAiModel'> = async (context, caller, { params: { model } }) => {
  const isReadableAgent = model.startsWith('agt_') && caller.scopes.includes('agents:read')
  const known = isReadableAgent
    ? asModel(await context.database.read(caller, (db) => getAgent(db, caller.workspaceId, model)))
    : await modelsFor(context, caller)
  const found = known.find(({ id }) => id === model)
  if (found === undefined) throw problem('not_found', { detail: `No agent or model has the identifier ${model}` })
  return jsonResult(200, found)
}

/** Returns an agent as a model; none for an archived one. */
const asModel = ({ agentId: id, status, content: { name }, createdAt }: Agent): OpenAiModel[] =>
  status === 'archived'
    ? []
    : [{ id, object: 'model', created: Math.floor(createdAt.getTime() / 1_000), owned_by: 'agents', name }]

async function modelsFor(context: Context, caller: Caller): Promise<OpenAiModel[]> {
  const models = await listAvailableModels(context, caller)
  return models
    .filter(({ available }) => available)
    .map((model) => ({
      id: openAiModelId(model),
      object: 'model',
      created: 0,
      owned_by: model.provider,
      name: model.name,
    }))
}
