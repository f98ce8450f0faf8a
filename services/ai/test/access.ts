import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'

const agents = '/v1/agents/agents'
const blueprints = '/v1/agents/blueprint'

const createAgent = (context: AccessContext, fields: Record<string, unknown> = {}): Promise<string> =>
  context.createId(agents, { name: context.uniqueName(), ...fields }, 'agent_id')

const createBlueprint = (context: AccessContext): Promise<string> =>
  context.createId(blueprints, { name: context.uniqueName(), instructions: 'Be brief.' })

/** Starts a run in the background. @returns its id */
const startRun = (context: AccessContext, agentId: string, input = 'Which data is there?'): Promise<string> =>
  context.createId(`/v1/ai/agents/${agentId}/run`, { input, background: true })

/** Starts a run that waits for an approval: the model calls a tool that the question spells out. */
async function startWaitingRun(context: AccessContext): Promise<string> {
  const integration = await context.createId(
    '/v1/integrations/integrations',
    { provider: 'http', name: context.uniqueName(), config: { base_url: `${context.fleet.baseUrl}/v1/agents/health` } },
    'integration_id',
  )
  await context.create(`/v1/integrations/integrations/${integration}/test`)
  const tools = [{ type: 'http', integration_id: integration, methods: ['POST'] }]
  const agent = await createAgent(context, { tools })
  const question = 'http_127_0_0_1_send {"path": "/", "method": "POST"}'
  const run = await context.create(`/v1/ai/agents/${agent}/run`, { input: question })
  return run.id ?? ''
}

const chatBody = (content: string) => ({ messages: [{ role: 'user', content }], model: { provider: 'local' } })

const openAiBody = (content: string) => ({ model: 'local', messages: [{ role: 'user', content }] })

const createConversation = (context: AccessContext): Promise<string> =>
  context.createId('/v1/ai/chat', chatBody('Which data is there?'), 'conversation_id')

const withAgent = { params: async (context: AccessContext) => ({ agent_id: await createAgent(context) }) }
const withBlueprint = { params: async (context: AccessContext) => ({ id: await createBlueprint(context) }) }
const trigger = { on: { event: 'DATA_SYNC_FAILED' }, input: 'Why did it fail?' }
const withTrigger = {
  params: async (context: AccessContext) => {
    const agentId = await createAgent(context)
    return { agent_id: agentId, id: await context.createId(`${agents}/${agentId}/triggers`, trigger) }
  },
}
const sets = '/v1/agents/evaluation-sets'
const evaluationCase = { input: 'Which data is there?', expected: { contains: ['data'] } }

/** Creates an evaluation set with one case. @returns the ids of both */
async function createSet(context: AccessContext): Promise<{ evaluation_set_id: string; id: string }> {
  const id = await context.createId(sets, { name: context.uniqueName() })
  return { evaluation_set_id: id, id: await context.createId(`${sets}/${id}/cases`, evaluationCase) }
}

const evaluations = '/v1/agents/evaluations'

const evaluationBody = async (context: AccessContext, cases = 1) => {
  const { evaluation_set_id: id } = await createSet(context)
  const content = `${JSON.stringify(evaluationCase)}\n`.repeat(cases)
  await context.create(`${sets}/${id}/import`, { format: 'jsonl', content, replace: true })
  return { agent_id: await createAgent(context), evaluation_set_id: id }
}

const createEvaluation = async (context: AccessContext, cases = 1): Promise<string> =>
  context.createId(evaluations, await evaluationBody(context, cases))

async function createEndedEvaluation(context: AccessContext): Promise<string> {
  const id = await createEvaluation(context)
  await eventually(async () => (await context.read(`${evaluations}/${id}`)).finished_at !== null, {
    description: `the end of ${id}`,
  })
  return id
}

const setOnly = {
  params: async (context: AccessContext) => ({ id: (await createSet(context)).evaluation_set_id }),
}
const casesOnly = {
  params: async (context: AccessContext) => ({ evaluation_set_id: (await createSet(context)).evaluation_set_id }),
}
const withCase = { params: (context: AccessContext) => createSet(context) }
const withEvaluation = { params: async (context: AccessContext) => ({ id: await createEvaluation(context) }) }
const withReadEvaluation = {
  params: async (context: AccessContext) => ({ id: await context.createOnce(createEndedEvaluation) }),
}
const withEndedEvaluation = { params: async (context: AccessContext) => ({ id: await createEndedEvaluation(context) }) }
/** With more cases than are answered at once. */
const withLongEvaluation = { params: async (context: AccessContext) => ({ id: await createEvaluation(context, 100) }) }
const withVersion = {
  params: async (context: AccessContext) => ({ agent_id: await createAgent(context), version: '1' }),
}
const withRun = {
  params: async (context: AccessContext) => ({ id: await startRun(context, await createAgent(context)) }),
}
const withWaitingRun = { params: async (context: AccessContext) => ({ id: await startWaitingRun(context) }) }
const withConversation = {
  isPersonal: true as const,
  params: async (context: AccessContext) => ({ id: await createConversation(context) }),
}

export const accessFixtures: AccessFixtures = {
  'agents.listTools': {},
  'agents.listBlueprints': {},
  'agents.createBlueprint': { request: { body: { name: 'created', instructions: 'Be brief.' } } },
  'agents.getBlueprint': withBlueprint,
  'agents.listBlueprintVersions': withBlueprint,
  'agents.createBlueprintVersion': { ...withBlueprint, request: { body: { name: 'changed' } } },
  'agents.listAgents': {},
  'agents.createAgent': {
    request: { body: { name: 'created' } },
    foreignReference: async (context) => ({
      body: { name: 'copied', blueprint_id: await createBlueprint(context) },
      pointer: '/blueprint_id',
    }),
  },
  'agents.getAgent': withAgent,
  'agents.updateAgent': { ...withAgent, request: { body: { name: 'renamed' } } },
  'agents.deleteAgent': withAgent,
  'agents.listAgentVersions': withAgent,
  'agents.createAgentVersion': { ...withAgent, request: { body: { instructions: 'Be brief.' } } },
  'agents.getAgentVersion': withVersion,
  'agents.activateAgentVersion': {
    ...withVersion,
    request: { body: {} },
    alternativeBody: { override: { reason: 'It is urgent' } },
  },
  'agents.listEvaluationSets': {},
  'agents.createEvaluationSet': { request: { body: { name: 'created' } } },
  'agents.getEvaluationSet': setOnly,
  'agents.updateEvaluationSet': { ...setOnly, request: { body: { name: 'renamed' } } },
  'agents.deleteEvaluationSet': setOnly,
  'agents.listEvaluationCases': casesOnly,
  'agents.createEvaluationCase': {
    ...casesOnly,
    request: { body: evaluationCase },
    alternativeBody: { ...evaluationCase, input: 'Which other data is there?' },
  },
  'agents.getEvaluationCase': withCase,
  'agents.updateEvaluationCase': { ...withCase, request: { body: { name: 'named' } } },
  'agents.deleteEvaluationCase': withCase,
  'agents.importEvaluationCases': {
    ...setOnly,
    request: { body: { format: 'jsonl', content: JSON.stringify(evaluationCase) } },
    alternativeBody: { format: 'csv', content: 'input,contains\nWhich data is there?,data\n' },
  },
  'agents.exportEvaluationCases': setOnly,
  'agents.startEvaluation': {
    buildRequest: async (context) => ({ body: await evaluationBody(context) }),
    foreignReference: async (context) => ({ body: await evaluationBody(context), pointer: '/evaluation_set_id' }),
  },
  'agents.listEvaluations': {},
  'agents.getEvaluation': withEvaluation,
  'agents.listEvaluationResults': withEvaluation,
  'agents.compareEvaluations': withReadEvaluation,
  'agents.cancelEvaluation': withLongEvaluation,
  'agents.deleteEvaluation': withEndedEvaluation,
  'agents.listTriggers': withAgent,
  'agents.createTrigger': { ...withAgent, request: { body: trigger } },
  'agents.getTrigger': withTrigger,
  'agents.updateTrigger': { ...withTrigger, request: { body: { enabled: false } } },
  'agents.deleteTrigger': withTrigger,
  'agents.runTrigger': withTrigger,
  'agents.getBudget': {},
  'agents.updateBudget': { request: { body: { runs_per_day: 1_000 } }, alternativeBody: { runs_per_day: 2_000 } },
  'agents.getAgentBudget': withAgent,
  'ai.runAgent': {
    ...withAgent,
    request: { body: { input: 'Which data is there?' } },
    alternativeBody: { input: 'Which other data is there?' },
  },
  'ai.listRuns': {},
  'ai.getRun': withRun,
  'ai.streamRunEvents': withRun,
  'ai.cancelRun': withWaitingRun,
  'ai.approveRun': {
    ...withWaitingRun,
    request: { body: { approved: false } },
    alternativeBody: { approved: false, reason: 'Too expensive' },
  },
  'ai.giveFeedback': {
    ...withRun,
    request: { body: { rating: 'up' } },
    alternativeBody: { rating: 'down', comment: 'It is wrong' },
  },
  'ai.listFeedback': {},
  'ai.chat': {
    request: { body: chatBody('Which data is there?') },
    alternativeBody: chatBody('Which other data is there?'),
    foreignReference: async (context) => ({
      body: { ...chatBody('And now?'), conversation_id: await createConversation(context) },
      pointer: '/conversation_id',
    }),
  },
  'ai.resumeChat': withConversation,
  'ai.listConversations': {},
  'ai.getConversation': withConversation,
  'ai.deleteConversation': withConversation,
  'ai.listModels': {},
  'ai.listOpenAiModels': {},
  'ai.getOpenAiModel': { params: async (context) => ({ model: await createAgent(context) }) },
  'ai.createOpenAiCompletion': {
    request: { body: openAiBody('Which data is there?') },
    withoutIdempotencyKey: 'its answer is that of another protocol, and may be a stream',
  },
}
