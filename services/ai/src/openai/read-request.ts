import { invalidField, type Model, type OpenAiMessage, type OpenAiRequest } from '@wp/contracts'
import type { JSONValue, ModelMessage } from 'ai'
import type { ClientTool, RunMessage } from '../runs/run-input.ts'

const textOf = (content: OpenAiMessage['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n')

/** Returns the messages as a model is sent them. @throws Problem if a result belongs to no call before it */
export function toRunMessages(messages: readonly OpenAiMessage[]): RunMessage[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map(({ id, function: called }) => [id, called.name] as const)
        : [],
    ),
  )
  return messages.map((message, index) => toRunMessage(message, `/messages/${index}`, names))
}

function toRunMessage(message: OpenAiMessage, pointer: string, names: ReadonlyMap<string, string>): RunMessage {
  const content = textOf(message.content)
  if (message.role === 'tool') {
    const toolName = names.get(message.tool_call_id)
    if (toolName === undefined)
      throw invalidField(`${pointer}/tool_call_id`, 'must be the id of a tool call of a message')
    const result = { type: 'tool-result' as const, toolCallId: message.tool_call_id, toolName }
    const output = { type: 'text' as const, value: content }
    return { role: 'exchange', message: { role: 'tool', content: [{ ...result, output }] } }
  }
  if (message.role !== 'assistant') return { role: message.role === 'user' ? 'user' : 'system', content }
  const { tool_calls: calls = [] } = message
  if (calls.length === 0) return { role: 'assistant', content }
  return { role: 'exchange', message: callMessage(content, calls, `${pointer}/tool_calls`) }
}

type ToolCalls = NonNullable<Extract<OpenAiMessage, { role: 'assistant' }>['tool_calls']>

function callMessage(text: string, toolCalls: ToolCalls, pointer: string): ModelMessage {
  const parts = toolCalls.map(({ id, function: { name, arguments: written } }, index) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: parseArguments(written, `${pointer}/${index}/function/arguments`),
  }))
  return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts] }
}

function parseArguments(written: string, pointer: string): JSONValue {
  try {
    return JSON.parse(written === '' ? '{}' : written)
  } catch {
    throw invalidField(pointer, 'must be JSON')
  }
}

export const toClientTools = ({ tools = [], tool_choice: choice }: OpenAiRequest): ClientTool[] =>
  choice === 'none'
    ? []
    : tools.map(({ function: { name, description = '', parameters = { type: 'object', properties: {} } } }) => ({
        name,
        description,
        inputSchema: parameters,
      }))

/** Returns the settings of a request, which go before those of the agent. */
export function settingsOf(request: OpenAiRequest): Pick<Model, 'temperature' | 'max_output_tokens'> {
  const { temperature } = request
  const maxTokens = request.max_completion_tokens ?? request.max_tokens
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(maxTokens == null ? {} : { max_output_tokens: maxTokens }),
  }
}

/** The name of a model in the API of OpenAI: `local`, `default`, or `int_…/<name>`. */
export const openAiModelId = ({ provider, id }: { provider: string; id: string }): string =>
  provider === 'local' || provider === 'default' ? provider : `${provider}/${id}`

/** Returns the model that a name means; undefined if it has the form of none. */
export function modelOf(name: string): Model | undefined {
  if (name === 'local' || name === 'default') return { provider: name }
  const [, provider, id] = /^(int_[0-9a-z]{26})(?:\/(.{1,200}))?$/.exec(name) ?? []
  if (provider === undefined) return undefined
  return { provider, ...(id === undefined ? {} : { id }) }
}
