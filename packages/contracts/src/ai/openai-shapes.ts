import { z } from 'zod'
import { maxMessageText } from '../agents/trigger-shapes.ts'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'

const [maxMessages, maxParts, maxTools, maxCalls, maxArguments] = [200, 100, 64, 64, 100_000]

const Content = z.union([
  text(maxMessageText, 0),
  boundedArray(
    z
      .strictObject({
        type: z.literal('text').meta({ description: 'Only text is supported' }),
        text: text(maxMessageText, 0).meta({ description: 'Text of the part' }),
      })
      .meta({ id: 'OpenAiTextPart' }),
    maxParts,
  ),
])

const ToolCall = z
  .strictObject({
    id: text(200).meta({ description: 'Identifier of the call, which the message with its result names' }),
    type: z.literal('function').meta({ description: 'Only functions can be called' }),
    function: z
      .strictObject({
        name: text(64).meta({ description: 'Name of the function' }),
        arguments: text(maxArguments, 0).meta({ description: 'Arguments as JSON text' }),
      })
      .meta({ id: 'OpenAiCalledFunction', description: 'The called function' }),
  })
  .meta({ id: 'OpenAiToolCall' })

const OpenAiMessage = z
  .discriminatedUnion('role', [
    z
      .strictObject({
        role: z.enum(['system', 'developer', 'user']).meta({ description: 'Author; `developer` counts as `system`' }),
        content: Content.meta({ description: 'The text, or its parts' }),
        name: text(200).optional().meta({ description: 'Name of the author; ignored' }),
      })
      .meta({ id: 'OpenAiUserMessage' }),
    z
      .strictObject({
        role: z.literal('assistant').meta({ description: 'An answer of the model' }),
        content: Content.nullable()
          .optional()
          .meta({ description: 'Text of the answer, or its parts; may be null beside `tool_calls`' }),
        tool_calls: boundedArray(ToolCall, maxCalls)
          .optional()
          .meta({ description: 'Functions of the client that the model called' }),
        refusal: z
          .null()
          .optional()
          .meta({ description: 'Always null, as in answers; accepted so that an answer can be sent back' }),
        name: text(200).optional().meta({ description: 'Name of the author; ignored' }),
      })
      .meta({ id: 'OpenAiAssistantMessage' }),
    z
      .strictObject({
        role: z.literal('tool').meta({ description: 'The result of a function of the client' }),
        content: Content.meta({ description: 'The result, as text or in parts' }),
        tool_call_id: text(200).meta({ description: 'The `id` of a call in a message before' }),
      })
      .meta({ id: 'OpenAiToolMessage' }),
  ])
  .meta({ id: 'OpenAiMessage' })
export type OpenAiMessage = z.output<typeof OpenAiMessage>

const OpenAiTool = z
  .strictObject({
    type: z.literal('function').meta({ description: 'Only functions are supported' }),
    function: z
      .strictObject({
        name: z
          .string()
          .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of a-z, A-Z, 0-9, _ and -')
          .meta({ description: 'Name by which the model calls it' }),
        description: text(2_000, 0)
          .optional()
          .meta({ description: 'Tells the model what it does and when to call it' }),
        parameters: boundedRecord(text(200), z.unknown(), 100)
          .optional()
          .meta({ description: 'JSON Schema of its arguments; default: none' }),
        strict: z.boolean().nullable().optional().meta({ description: 'Ignored' }),
      })
      .meta({ description: 'A function of the client that the model may call' }),
  })
  .meta({ id: 'OpenAiTool' })

/** Accepted without effect: hints and labels that change no answer. */
const ignored = {
  user: z.unknown().optional().meta({ description: 'Ignored' }),
  metadata: z.unknown().optional().meta({ description: 'Ignored' }),
  store: z.unknown().optional().meta({ description: 'Ignored' }),
  seed: z.unknown().optional().meta({ description: 'Ignored' }),
  service_tier: z.unknown().optional().meta({ description: 'Ignored' }),
  parallel_tool_calls: z.unknown().optional().meta({ description: 'Ignored' }),
  prompt_cache_key: z.unknown().optional().meta({ description: 'Ignored' }),
  safety_identifier: z.unknown().optional().meta({ description: 'Ignored' }),
}

/** Accepted with the value that has no effect only: another one would change the answer. */
const neutral = {
  n: z
    .literal(1, 'must be 1: one answer is written')
    .nullable()
    .optional()
    .meta({ description: 'Number of answers: only 1 is supported' }),
  top_p: z
    .literal(1, 'must be 1, or be left out')
    .nullable()
    .optional()
    .meta({ description: 'Only 1, the default, is supported; use `temperature`' }),
  frequency_penalty: z
    .literal(0, 'must be 0, or be left out')
    .nullable()
    .optional()
    .meta({ description: 'Only 0, the default, is supported' }),
  presence_penalty: z
    .literal(0, 'must be 0, or be left out')
    .nullable()
    .optional()
    .meta({ description: 'Only 0, the default, is supported' }),
  logprobs: z
    .literal(false, 'must be false, or be left out')
    .nullable()
    .optional()
    .meta({ description: 'Only false, the default, is supported' }),
  response_format: z
    .strictObject({
      type: z
        .literal('text', 'must be text: other formats are not supported')
        .meta({ description: 'Only text is supported' }),
    })
    .optional()
    .meta({ description: 'Format of the answer' }),
  stop: z
    .null('must be null, or be left out')
    .optional()
    .meta({ description: 'Texts that end the answer are not supported' }),
}

/** A request of the Chat Completions API of OpenAI (https://platform.openai.com/docs/api-reference/chat). */
export const OpenAiRequest = z
  .strictObject({
    model: text(300).meta({
      description: 'An agent (`agt_…`), or a model that `GET /v1/ai/openai/models` lists',
      examples: ['agt_01h455vb4pex5vsknk084sn02q'],
    }),
    messages: boundedArray(OpenAiMessage, maxMessages, { min: 1 }).meta({
      description: 'The conversation so far, the newest message last',
    }),
    stream: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'True for server-sent events: chunks of the answer as it is written' }),
    stream_options: z
      .strictObject({
        include_usage: z.boolean().optional().meta({ description: 'True for a last chunk with the used tokens' }),
      })
      .nullable()
      .optional()
      .meta({ description: 'Settings of a streamed answer' }),
    tools: boundedArray(OpenAiTool, maxTools).optional().meta({
      description: 'Functions of the client. A call of one ends the answer with `finish_reason` `tool_calls`',
    }),
    tool_choice: z
      .enum(['auto', 'none'])
      .optional()
      .meta({ description: '`none` hides the functions of the client from the model' }),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .optional()
      .meta({ description: 'Randomness of the answer, from 0 (least) to 2; goes before the setting of the agent' }),
    max_tokens: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .optional()
      .meta({ description: 'Most tokens that one call of the model may write; older name of `max_completion_tokens`' }),
    max_completion_tokens: z.int().min(1).max(100_000).nullable().optional().meta({
      description:
        'Most tokens that one call of the model may write; goes before `max_tokens` and the setting of the agent',
    }),
    ...ignored,
    ...neutral,
  })
  .meta({ id: 'OpenAiRequest' })
export type OpenAiRequest = z.output<typeof OpenAiRequest>

const finishReasons = ['stop', 'length', 'content_filter', 'tool_calls'] as const

const OpenAiUsage = z.object({
  prompt_tokens: z.int().meta({ description: 'Tokens that the model read' }),
  completion_tokens: z.int().meta({ description: 'Tokens that the model wrote' }),
  total_tokens: z.int().meta({ description: 'Sum of both' }),
})

export const OpenAiCompletion = z
  .object({
    id: z.string().meta({ description: '`chatcmpl-` and the identifier of the run' }),
    object: z.literal('chat.completion').meta({ description: 'Kind of the object' }),
    created: z.int().meta({ description: 'Seconds since 1970' }),
    model: z.string().meta({ description: 'The `model` of the request' }),
    choices: z
      .array(
        z.object({
          index: z.literal(0).meta({ description: 'Position in `choices`' }),
          message: z
            .object({
              role: z.literal('assistant').meta({ description: 'An answer of the model' }),
              content: z
                .string()
                .nullable()
                .meta({ description: 'Text of the answer; null if there are only `tool_calls`' }),
              refusal: z.null().meta({ description: 'Always null' }),
              tool_calls: z
                .array(ToolCall)
                .optional()
                .meta({ description: 'Functions of the client that the model calls; absent if there are none' }),
            })
            .meta({ description: 'The answer as a message, to be sent back with the next question' }),
          logprobs: z.null().meta({ description: 'Always null' }),
          finish_reason: z.enum(finishReasons).meta({
            description:
              'Why the answer ended: `stop` is its regular end, `length` and `content_filter` cut it, `tool_calls` asks the client to call its functions',
          }),
        }),
      )
      .meta({ description: 'The one answer' }),
    usage: OpenAiUsage.meta({ description: 'Tokens of the whole run' }),
  })
  .meta({ id: 'OpenAiCompletion' })
export type OpenAiCompletion = z.output<typeof OpenAiCompletion>
export type OpenAiFinishReason = (typeof finishReasons)[number]

export const OpenAiModels = z
  .object({
    object: z.literal('list').meta({ description: 'Kind of the object' }),
    data: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Value for `model`' }),
          object: z.literal('model').meta({ description: 'Kind of the object' }),
          created: z.int().meta({ description: 'Time of creation of an agent, in seconds since 1970; 0 for a model' }),
          owned_by: z
            .string()
            .meta({ description: '`agents`, or the provider of the model: `local`, `default` or an integration' }),
          name: z.string().meta({ description: 'Name for people' }),
        }),
      )
      .meta({ description: 'Agents, then models' }),
  })
  .meta({ id: 'OpenAiModels' })

export const OpenAiError = z
  .object({
    error: z
      .object({
        message: z.string().meta({ description: 'What is wrong and what to do, in words' }),
        type: z
          .string()
          .meta({ description: '`invalid_request_error`, or `server_error` if the request was not at fault' }),
        param: z
          .string()
          .nullable()
          .meta({ description: 'JSON pointer of the wrong field of the request; null if it is not about one' }),
        code: z.string().meta({ description: 'Stable; a code of `Problem`' }),
      })
      .meta({ description: 'What went wrong' }),
  })
  .meta({ id: 'OpenAiError' })
