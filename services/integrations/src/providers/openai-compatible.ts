import { text } from '@wp/contracts'
import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { callProvider, refuseFailure } from './http-call.ts'
import { defineProvider } from './provider.ts'
import { baseUrl, headerSecret, under } from './shapes.ts'

const config = z.strictObject({
  base_url: baseUrl().meta({
    description: 'Under which /models, /chat/completions and /embeddings lie; often ends with /v1',
  }),
  models: z.array(text(200)).max(100).optional().meta({ description: 'Those that may be used; without it, all' }),
})

const secrets = z.strictObject({
  api_key: headerSecret().optional().meta({ description: 'Servers of one’s own often need none' }),
})

const Models = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Whatever speaks OpenAI's interface. */
export const openaiCompatible = defineProvider({
  provider: 'openai_compatible',
  name: 'OpenAI-compatible',
  description: 'Language models and embeddings of any server that speaks the interface of OpenAI',
  config,
  secrets,
  addresses: ({ base_url: url }) => [{ pointer: '/config/base_url', url }],
  destination: ({ base_url: url }) => url,
  async test({ config: { base_url: base, models = [] }, secrets: { api_key: key } }, outside) {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const answer = await callProvider(outside, { url: under(base, 'models'), headers })
    refuseFailure(answer)
    const listed = Models.safeParse(answer.json)
    if (!listed.success) throw new ConnectionFailure('protocol', 'The provider gave no list of models')
    const known = new Set(listed.data.data.map(({ id }) => id))
    const missing = models.filter((model) => !known.has(model))
    if (missing.length > 0) throw new ConnectionFailure('not_found', `The provider does not have ${missing.join(', ')}`)
  },
})
