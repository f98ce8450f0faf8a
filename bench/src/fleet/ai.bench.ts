import { join } from 'node:path'
import { withFleet } from '../harness/fleet.ts'
import { startHelper } from '../harness/helper-process.ts'
import { type Row, report } from '../harness/report.ts'
import { alternate, percentileColumns, percentiles } from '../harness/statistics.ts'
import { loopbackAccess } from '../webhooks/receiver.ts'

interface Target {
  name: string
  url: string
  headers: Record<string, string>
  body: object
  /** A text that the first event with a part of the reply contains, and no earlier one. */
  mark: string
}

const question = 'Which rooms are full?'
const messages = [{ role: 'user', content: question }]

/** Measures the first part of a streamed reply: asked of the model itself, and of the platform in front of it. */
export async function run({ rounds }: { rounds: number }): Promise<void> {
  const model = await startHelper(join(import.meta.dirname, 'model.ts'), {})
  const modelUrl = await model.call<string>('url')
  const env = { ai: { AI_BASE_URL: modelUrl, AI_MODEL: 'test-model' } }
  try {
    await withFleet({ isDurable: true, env, outbound: loopbackAccess() }, async ({ baseUrl, owner, request }) => {
      const agent = { name: 'Guide', instructions: 'Answer in one sentence.' }
      const { body } = await request('POST', '/v1/agents/agents', { as: owner.apiKey, body: agent })
      const headers = { 'x-api-key': owner.apiKey }
      const openAi = { messages, stream: true }
      const targets: Target[] = [
        {
          name: 'model, asked directly',
          url: `${modelUrl}/chat/completions`,
          headers: {},
          body: openAi,
          mark: 'word0',
        },
        {
          name: 'run of an agent',
          url: `${baseUrl}/v1/ai/agents/${body.data.agent_id}/run`,
          headers,
          body: { input: question, stream: true },
          mark: 'text-delta',
        },
        { name: 'chat', url: `${baseUrl}/v1/ai/chat`, headers, body: { messages, stream: true }, mark: 'text-delta' },
        {
          name: 'chat in the protocol of OpenAI',
          url: `${baseUrl}/v1/ai/openai/chat/completions`,
          headers,
          body: { ...openAi, model: 'default' },
          mark: 'word0',
        },
      ]
      await alternate(targets, 5, timeToFirstText) // warms up code and connections
      const times = await alternate(targets, rounds, timeToFirstText)
      const rows: Row[] = [...times].map(([{ name }, of]) => ({ name, ...percentileColumns(percentiles(of)) }))
      report('ai', rows, { rounds })
    })
  } finally {
    await model.stop()
  }
}

/** Returns the milliseconds until the first part of the text; reads to the end, so that runs do not overlap. */
async function timeToFirstText({ url, headers, body, mark }: Target): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  let received = ''
  let firstMs: number | undefined
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    received += decoder.decode(bytes, { stream: true })
    if (received.includes(mark)) firstMs ??= performance.now() - startedAt
  }
  if (firstMs === undefined) throw new Error(`${url} answered ${response.status} ${received.slice(0, 500)}`)
  return firstMs
}
