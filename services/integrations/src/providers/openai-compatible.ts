import { text } from '@wp/contracts'
import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { callProvider, refuseFailure } from './http-call.ts'
import { defineProvider, type Outside } from './provider.ts'
import { baseUrl, headerSecret, under } from './shapes.ts'

const config = z.strictObject({
  base_url: baseUrl().meta({
    description: 'Under which /models, /chat/completions and /embeddings lie; often ends with /v1',
  }),
  models: z.array(text(200)).max(100).optional().meta({ description: 'Those that may be used; without it, all' }),
  embedding_model: text(200).optional().meta({
    description: 'Makes the embeddings by which records are searched; without it, none are made here',
  }),
  embedding_dimensions: z.number().int().min(1).max(4096).optional().meta({
    description: 'Asked of the model, where it can make embeddings of several sizes; without it, the size is its own',
  }),
})

const secrets = z.strictObject({
  api_key: headerSecret().optional().meta({ description: 'Servers of one’s own often need none' }),
})

const Models = z.object({ data: z.array(z.object({ id: z.string() })) })
const Embeddings = z.object({ data: z.tuple([z.object({ embedding: z.array(z.number()).min(1) })]) })

/** Whatever speaks OpenAI's interface. */
export const openaiCompatible = defineProvider({
  provider: 'openai_compatible',
  name: 'OpenAI-compatible',
  description: 'Language models and embeddings of any server that speaks the interface of OpenAI',
  config,
  secrets,
  check: ({ embedding_model: model, embedding_dimensions: dimensions }) =>
    dimensions !== undefined && model === undefined
      ? [{ pointer: '/config/embedding_dimensions', detail: 'needs `embedding_model`' }]
      : [],
  addresses: ({ base_url: url }) => [{ pointer: '/config/base_url', url }],
  destination: ({ base_url: url }) => url,
  async test({ config, secrets: { api_key: key } }, outside) {
    const { base_url: base, models = [] } = config
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const answer = await callProvider(outside, { url: under(base, 'models'), headers })
    refuseFailure(answer)
    const listed = Models.safeParse(answer.json)
    if (!listed.success) throw new ConnectionFailure('protocol', 'The provider gave no list of models')
    const known = new Set(listed.data.data.map(({ id }) => id))
    const missing = models.filter((model) => !known.has(model))
    if (missing.length > 0) throw new ConnectionFailure('not_found', `The provider does not have ${missing.join(', ')}`)
    await tryEmbedding(config, headers, outside)
  },
})

/** By use: servers need not list the models that make embeddings. */
async function tryEmbedding(
  { base_url: base, embedding_model: model, embedding_dimensions: dimensions }: z.output<typeof config>,
  headers: Record<string, string>,
  outside: Outside,
): Promise<void> {
  if (model === undefined) return
  const body = JSON.stringify({ model, input: ['test'], dimensions, encoding_format: 'float' })
  const answer = await callProvider(outside, {
    url: under(base, 'embeddings'),
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  if (answer.status === 400 || answer.status === 404 || answer.status === 422)
    throw new ConnectionFailure(
      'not_found',
      `The provider makes no embeddings with ${model}: it answered ${answer.status}`,
    )
  refuseFailure(answer)
  const made = Embeddings.safeParse(answer.json)
  if (!made.success) throw new ConnectionFailure('protocol', `The provider gave no embedding with ${model}`)
  const size = made.data.data[0].embedding.length
  if (dimensions !== undefined && size !== dimensions)
    throw new ConnectionFailure('protocol', `${model} makes embeddings of ${size} dimensions, not of ${dimensions}`)
}
