import { z } from 'zod'
import { maxMessageText } from '../agents/trigger-shapes.ts'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'

const [maxMessages, maxParts, maxTools, maxCalls, maxArguments] = [200, 100, 64, 64, 100_000]

const Content = z.union([
  text(maxMessageText, 0),
  boundedArray(z.strictObject({ type: z.literal('text'), text: text(maxMessageText, 0) }), maxParts),
])

const ToolCall = z.strictObject({
  id: text(200),
  type: z.literal('function'),
  function: z.strictObject({ name: text(64), arguments: text(maxArguments, 0) }),
})

const OpenAiMessage = z
  .discriminatedUnion('role', [
    z.strictObject({ role: z.enum(['system', 'developer', 'user']), content: Content, name: text(200).optional() }),
    z.strictObject({
      role: z.literal('assistant'),
      content: Content.nullable().optional(),
      tool_calls: boundedArray(ToolCall, maxCalls).optional(),
      refusal: z.null().optional(),
      name: text(200).optional(),
    }),
    z.strictObject({ role: z.literal('tool'), content: Content, tool_call_id: text(200) }),
  ])
  .meta({ id: 'OpenAiMessage' })
export type OpenAiMessage = z.output<typeof OpenAiMessage>

const OpenAiTool = z
  .strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of a-z, A-Z, 0-9, _ and -'),
      description: text(2_000, 0).optional(),
      parameters: boundedRecord(text(200), z.unknown(), 100).optional(),
      strict: z.boolean().nullable().optional(),
    }),
  })
  .meta({ id: 'OpenAiTool' })

/** Accepted without effect: hints and labels that change no answer. */
const ignored = {
  user: z.unknown().optional(),
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
  seed: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  parallel_tool_calls: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
}

/** Accepted with the value that has no effect only: another one would change the answer. */
const neutral = {
  n: z.literal(1, 'must be 1: one answer is written').nullable().optional(),
  top_p: z.literal(1, 'must be 1, or be left out').nullable().optional(),
  frequency_penalty: z.literal(0, 'must be 0, or be left out').nullable().optional(),
  presence_penalty: z.literal(0, 'must be 0, or be left out').nullable().optional(),
  logprobs: z.literal(false, 'must be false, or be left out').nullable().optional(),
  response_format: z
    .strictObject({ type: z.literal('text', 'must be text: other formats are not supported') })
    .optional(),
  stop: z.null('must be null, or be left out').optional(),
}

/** A request of the Chat Completions API of OpenAI (https://platform.openai.com/docs/api-reference/chat). */
export const OpenAiRequest = z
  .strictObject({
    model: text(300).meta({
      description: 'An agent (`agt_…`), or a model that `GET /v1/ai/openai/models` lists',
      examples: ['agt_01h455vb4pex5vsknk084sn02q'],
    }),
    messages: boundedArray(OpenAiMessage, maxMessages, { min: 1 }),
    stream: z.boolean().nullable().optional(),
    stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullable().optional(),
    tools: boundedArray(OpenAiTool, maxTools).optional().meta({
      description: 'Functions of the client. A call of one ends the answer with `finish_reason` `tool_calls`',
    }),
    tool_choice: z.enum(['auto', 'none']).optional(),
    temperature: z.number().min(0).max(2).nullable().optional(),
    max_tokens: z.int().min(1).max(100_000).nullable().optional(),
    max_completion_tokens: z.int().min(1).max(100_000).nullable().optional(),
    ...ignored,
    ...neutral,
  })
  .meta({ id: 'OpenAiRequest' })
export type OpenAiRequest = z.output<typeof OpenAiRequest>

const finishReasons = ['stop', 'length', 'content_filter', 'tool_calls'] as const

const OpenAiUsage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })

export const OpenAiCompletion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Seconds since 1970' }),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.null(),
          tool_calls: z.array(ToolCall).optional(),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(finishReasons),
      }),
    ),
    usage: OpenAiUsage,
  })
  .meta({ id: 'OpenAiCompletion' })
export type OpenAiCompletion = z.output<typeof OpenAiCompletion>
export type OpenAiFinishReason = (typeof finishReasons)[number]

export const OpenAiModels = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        id: z.string(),
        object: z.literal('model'),
        created: z.int(),
        owned_by: z.string(),
        name: z.string(),
      }),
    ),
  })
  .meta({ id: 'OpenAiModels' })

export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: 'OpenAiError' })
