import { sampleInput } from './sample-input.ts'

/** Escapes a text for a shell between single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const post = (url: string, body: unknown): string =>
  [
    `curl "${url}"`,
    `  -H "x-api-key: $KEY"`,
    `  -H 'content-type: application/json'`,
    `  -d ${quote(JSON.stringify(body))}`,
  ].join(' \\\n')

/** Returns the command that runs an agent. */
export const runSnippet = (
  baseUrl: string,
  { agent_id: id, input_schema: schema }: { agent_id: string; input_schema: Record<string, unknown> | null },
): string =>
  post(`${baseUrl}/v1/ai/agents/${id}/run`, {
    input: schema === null ? 'Which contracts end this year?' : sampleInput(schema),
  })

/** Returns the command that creates an agent from a blueprint. */
export const createSnippet = (baseUrl: string, blueprintId = 'question_answering'): string =>
  post(`${baseUrl}/v1/agents/agents`, { name: 'Guide', blueprint_id: blueprintId })

/** Returns the command that sends a message. */
export const chatSnippet = (baseUrl: string): string =>
  post(`${baseUrl}/v1/ai/chat`, { messages: [{ role: 'user', content: 'When does the archive close?' }] })

/** Returns the command that creates a blueprint. */
export const blueprintSnippet = (baseUrl: string): string =>
  post(`${baseUrl}/v1/agents/blueprint`, {
    name: 'Contract questions',
    instructions: 'You answer questions about contracts.',
    tools: ['search_data', 'read_record'],
  })
