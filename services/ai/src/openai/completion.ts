import type { OpenAiCompletion, OpenAiFinishReason } from '@wp/contracts'
import type { Chunk } from '../streams/chunk.ts'

type ToolCall = NonNullable<OpenAiCompletion['choices'][number]['message']['tool_calls']>[number]
type Usage = OpenAiCompletion['usage']

/** The parts of an answer in the order in which they are written. */
export type AnswerPart =
  | { type: 'text'; text: string }
  | { type: 'call'; call: ToolCall }
  | { type: 'end'; finishReason: OpenAiFinishReason; usage: Usage }
  | { type: 'failure'; message: string }

interface Answered {
  runId: string
  /** Names of the tools of the client. Calls of others are the run's own. */
  clientTools: ReadonlySet<string>
}

/** Reads the events of a run as parts of an answer. */
export async function* answerParts(
  events: AsyncIterable<{ data: Chunk }>,
  { runId, clientTools }: Answered,
): AsyncGenerator<AnswerPart> {
  let hasCalls = false
  for await (const { data: chunk } of events) {
    if (chunk.type === 'text-delta') yield { type: 'text', text: chunk.delta }
    if (chunk.type === 'tool-input-available' && clientTools.has(chunk.toolName)) {
      hasCalls = true
      const called = { name: chunk.toolName, arguments: JSON.stringify(chunk.input) }
      // Identifiers of calls are unique in a run; the messages of the client have those of several.
      yield { type: 'call', call: { id: `${runId}_${chunk.toolCallId}`, type: 'function', function: called } }
    }
    if (chunk.type === 'error') yield { type: 'failure', message: chunk.errorText }
    if (chunk.type === 'abort') yield { type: 'failure', message: 'The run was cancelled' }
    if (chunk.type === 'finish')
      yield {
        type: 'end',
        finishReason: hasCalls ? 'tool_calls' : finishReasonOf(chunk.finishReason),
        usage: usageOf(chunk.messageMetadata),
      }
  }
}

/** `tool_calls` is for calls of the client; an answer that ended at a limit is cut. */
const finishReasonOf = (reason: string | undefined): OpenAiFinishReason =>
  reason === 'stop' ? 'stop' : reason === 'content-filter' ? 'content_filter' : 'length'

function usageOf(metadata: unknown): Usage {
  // Written by end-run.ts.
  const { usage } = metadata as { usage: { input_tokens: number; output_tokens: number; total_tokens: number } }
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.total_tokens,
  }
}

export interface Head {
  id: string
  /** Seconds since 1970. */
  created: number
  model: string
}

/** Thrown if a run fails before its answer is whole. */
export class AnswerFailed extends Error {
  override readonly name = 'AnswerFailed'
}

/** Collects a whole answer. @throws AnswerFailed */
export async function collectCompletion(parts: AsyncIterable<AnswerPart>, head: Head): Promise<OpenAiCompletion> {
  let content = ''
  const calls: ToolCall[] = []
  for await (const part of parts) {
    if (part.type === 'text') content += part.text
    if (part.type === 'call') calls.push(part.call)
    if (part.type === 'failure') throw new AnswerFailed(part.message)
    if (part.type !== 'end') continue
    const message = {
      role: 'assistant' as const,
      content: content === '' && calls.length > 0 ? null : content,
      refusal: null,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    const { finishReason: finish_reason, usage } = part
    return {
      ...head,
      object: 'chat.completion',
      usage,
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
    }
  }
  throw new AnswerFailed('The stream of the run ended early')
}

/** Writes the chunks of a streamed answer. */
export async function* completionChunks(
  parts: AsyncIterable<AnswerPart>,
  head: Head,
  includesUsage: boolean,
): AsyncGenerator<{ data: unknown }> {
  const chunk = (delta: object, finishReason: OpenAiFinishReason | null = null) => ({
    data: {
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(includesUsage ? { usage: null } : {}),
    },
  })
  yield chunk({ role: 'assistant', content: '' })
  let calls = 0
  for await (const part of parts) {
    if (part.type === 'text') yield chunk({ content: part.text })
    if (part.type === 'call') yield chunk({ tool_calls: [{ index: calls++, ...part.call }] })
    if (part.type === 'failure')
      yield { data: { error: { message: part.message, type: 'server_error', param: null, code: 'model_failed' } } }
    if (part.type !== 'end') continue
    yield chunk({}, part.finishReason)
    if (includesUsage) yield { data: { ...head, object: 'chat.completion.chunk', choices: [], usage: part.usage } }
  }
}
