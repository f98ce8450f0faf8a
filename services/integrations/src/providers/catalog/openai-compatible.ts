import { boundedArray, text } from '@wp/contracts'
import { credentialDestination } from '@wp/outbound'
import { z } from 'zod'
import { callProvider, throwOnErrorStatus } from '../call-provider.ts'
import { ConnectionFailure } from '../connection-failure.ts'
import { baseUrl, defineProvider, headerSecret, type TestAccess, under } from '../provider.ts'

/** The longest embeddings of current models have as many. */
const maxDimensions = 4_096

/** A model costs less than this for a million tokens, in minor units. */
const maxPrice = 100_000_000
const perMillion = (what: string) =>
  z.number().min(0).max(maxPrice).describe(`Minor units, such as cents, for a million tokens ${what}`)

const price = z.strictObject({
  model: text(200),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR'),
  input: perMillion('That it reads'),
  output: perMillion('That it writes'),
  cached_input: perMillion('Default that of `input`').optional(),
})

const config = z.strictObject({
  base_url: baseUrl().describe('The base of /models, /chat/completions and /embeddings; often ends with /v1'),
  models: z.array(text(200)).max(100).optional().describe('Models that may be used; default all'),
  prices: boundedArray(price, 100)
    .optional()
    .describe(
      'What a million tokens cost, in minor units such as cents. Budgets in money require it; without it, the cost of runs is not known',
    ),
  embedding_model: text(200)
    .optional()
    .describe('Model for the embeddings of semantic search; without it, this integration makes none'),
  embedding_dimensions: z
    .number()
    .int()
    .min(1)
    .max(maxDimensions)
    .optional()
    .describe('Number of dimensions to request, for models that support several; default that of the model'),
  embedding_query_prefix: text(500)
    .optional()
    .describe('Text before each query of a search, with its space, for models that were trained with one: `query: `'),
  embedding_document_prefix: text(500)
    .optional()
    .describe('Text before each part of a record, with its space: `passage: `. A change embeds all records again'),
  embedding_query_type: text(50)
    .optional()
    .describe('Sent as `input_type` with a query, to servers that know it: `query`, `search_query`'),
  embedding_document_type: text(50)
    .optional()
    .describe(
      'Sent as `input_type` with parts of records: `document`, `passage`, `search_document`. A change embeds all records again',
    ),
  embedding_batch_size: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('Texts in one request, for servers that take few or are slow; default 64'),
  embedding_concurrency: z
    .number()
    .int()
    .min(1)
    .max(4)
    .optional()
    .describe('Requests at once; 1 for a server that makes one embedding after the other. Default 4'),
})

const secrets = z.strictObject({
  api_key: headerSecret().optional().describe('Self-hosted servers often need none'),
})

const maxModels = 10_000
const Models = z.object({ data: boundedArray(z.object({ id: z.string() }), maxModels) })
const Completion = z.object({ choices: z.tuple([z.looseObject({})], z.unknown()) })
const Embedding = z.object({ embedding: boundedArray(z.number(), maxDimensions).refine(({ length }) => length > 0) })
const Embeddings = z.object({ data: z.tuple([Embedding]) })

/** Any server with an OpenAI-compatible API. */
export const openaiCompatible = defineProvider({
  provider: 'openai_compatible',
  name: 'OpenAI-compatible',
  description: 'Language models and embeddings of any server with an OpenAI-compatible API',
  config,
  secrets,
  check: ({ prices = [], embedding_model: model, ...config }) => [
    ...Object.entries(config)
      .filter(([name, value]) => model === undefined && name.startsWith('embedding_') && value !== undefined)
      .map(([name]) => ({ pointer: `/config/${name}`, detail: 'requires `embedding_model`' })),
    ...prices.flatMap((price, index) =>
      prices.findIndex(({ model: priced }) => priced === price.model) === index
        ? []
        : [{ pointer: `/config/prices/${index}/model`, detail: 'has a price already' }],
    ),
  ],
  addresses: ({ base_url: url }) => [{ pointer: '/config/base_url', url }],
  destination: ({ base_url: url }) => credentialDestination(url),
  async test({ config, secrets: { api_key: key } }, access) {
    const { base_url: base, models = [] } = config
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const known = await listModels(access, under(base, 'models'), headers, models.length === 0)
    if (known === undefined) await testWithoutList(config, headers, access)
    else {
      const missing = models.filter((model) => !known.has(model))
      // Some providers list a part of their models.
      if (missing[0] !== undefined && !(await answers(access, base, headers, missing[0])))
        throw new ConnectionFailure('not_found', `The provider does not have ${missing.join(', ')}`)
    }
    await testEmbedding(config, headers, access)
  },
})

/**
 * Returns the models that a provider lists; undefined if it has no list, which not every one has.
 * @param isListNeeded true if nothing else can be tested, so that another answer than a list is an error
 */
async function listModels(access: TestAccess, url: string, headers: Record<string, string>, isListNeeded: boolean) {
  const response = await callProvider(access, { url, headers })
  // Keys of a provider may be for chats alone, so that a chat tells more than the status of the list.
  if (statusesWithoutList.has(response.status) || (response.status >= 400 && !isListNeeded)) return undefined
  throwOnErrorStatus(response)
  const listed = Models.safeParse(response.json)
  if (listed.success) return new Set(listed.data.data.map(({ id }) => id))
  if (isListNeeded) throw new ConnectionFailure('protocol', 'The provider sent no list of models')
  return undefined
}

const statusesWithoutList: ReadonlySet<number> = new Set([404, 405, 410, 501])

/** Tests a provider without a list of models by a chat with the first configured one. */
async function testWithoutList(
  { base_url: base, models: [model] = [], embedding_model: embedding }: z.output<typeof config>,
  headers: Record<string, string>,
  access: TestAccess,
): Promise<void> {
  if (model === undefined && embedding !== undefined) return
  if (model === undefined)
    throw new ConnectionFailure('not_found', 'The provider does not list its models; name one in `models`')
  if (!(await answers(access, base, headers, model)))
    throw new ConnectionFailure('not_found', `The provider lists no models, and does not answer with ${model}`)
}

/**
 * Returns true if a model answers a chat.
 * @throws ConnectionFailure if the provider rejects the credentials, or fails
 */
async function answers(access: TestAccess, base: string, headers: Record<string, string>, model: string) {
  const response = await callProvider(access, {
    url: under(base, 'chat/completions'),
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: probeText }], max_tokens: 1 }),
  })
  // A model that knows the limit by another name has read the request.
  if (response.status === 400 && /\bmax_completion_tokens\b/.test(JSON.stringify(response.json))) return true
  if (response.status === 400 || response.status === 404 || response.status === 422) return false
  throwOnErrorStatus(response)
  return Completion.safeParse(response.json).success
}

/** The only text that a test sends: nothing of the workspace. */
const probeText = 'test'

/** Requests an embedding: servers need not list their embedding models. */
async function testEmbedding(
  { base_url: base, embedding_model: model, embedding_dimensions: dimensions, ...options }: z.output<typeof config>,
  headers: Record<string, string>,
  access: TestAccess,
): Promise<void> {
  if (model === undefined) return
  const input = [`${options.embedding_query_prefix ?? ''}${probeText}`]
  const body = JSON.stringify({
    model,
    input,
    dimensions,
    encoding_format: 'float',
    input_type: options.embedding_query_type,
  })
  const response = await callProvider(access, {
    url: under(base, 'embeddings'),
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  if (response.status === 400 || response.status === 404 || response.status === 422)
    throw new ConnectionFailure(
      'not_found',
      `The provider cannot create embeddings with ${model}: it answered ${response.status}`,
    )
  throwOnErrorStatus(response)
  const made = Embeddings.safeParse(response.json)
  if (!made.success) throw new ConnectionFailure('protocol', `The provider sent no embedding for ${model}`)
  const size = made.data.data[0].embedding.length
  if (dimensions !== undefined && size !== dimensions)
    throw new ConnectionFailure(
      'protocol',
      `${model} creates embeddings of ${size} dimensions instead of ${dimensions}`,
    )
}
