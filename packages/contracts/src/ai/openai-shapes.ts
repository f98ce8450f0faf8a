import { z } from 'zod'
import { maxMessageText } from '../agents/trigger-shapes.ts'
import type { Problem } from '../core/error/error.ts'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'

const [maxMessages, maxParts, maxTools, maxCalls, maxArguments] = [200, 100, 64, 64, 100_000]

const Content = z.union([
  text(maxMessageText, 0),
  boundedArray(
    z
      .strictObject({
        type: z.literal('text').describe('Only text is supported'),
        text: text(maxMessageText, 0).describe('Text of the part'),
      })
      .meta({ id: 'OpenAiTextPart' }),
    maxParts,
  ),
])

const ToolCall = z
  .strictObject({
    id: text(200).describe('Identifier of the call, which the message with its result names'),
    type: z.literal('function').describe('Only functions can be called'),
    function: z
      .strictObject({
        name: text(64).describe('Name of the function'),
        arguments: text(maxArguments, 0).describe('Arguments as JSON text'),
      })
      .meta({ id: 'OpenAiCalledFunction', description: 'The called function' }),
  })
  .meta({ id: 'OpenAiToolCall' })

const OpenAiMessage = z
  .discriminatedUnion('role', [
    z
      .strictObject({
        role: z.enum(['system', 'developer', 'user']).describe('Author; `developer` counts as `system`'),
        content: Content.describe('The text, or its parts'),
        name: text(200).optional().describe('Name of the author; ignored'),
      })
      .meta({ id: 'OpenAiUserMessage' }),
    z
      .strictObject({
        role: z.literal('assistant').describe('An answer of the model'),
        content: Content.nullable()
          .optional()
          .describe('Text of the answer, or its parts; may be null beside `tool_calls`'),
        tool_calls: boundedArray(ToolCall, maxCalls)
          .optional()
          .describe('Functions of the client that the model called'),
        refusal: z
          .null()
          .optional()
          .describe('Always null, as in answers; accepted so that an answer can be sent back'),
        name: text(200).optional().describe('Name of the author; ignored'),
      })
      .meta({ id: 'OpenAiAssistantMessage' }),
    z
      .strictObject({
        role: z.literal('tool').describe('The result of a function of the client'),
        content: Content.describe('The result, as text or in parts'),
        tool_call_id: text(200).describe('The `id` of a call in a message before'),
      })
      .meta({ id: 'OpenAiToolMessage' }),
  ])
  .meta({ id: 'OpenAiMessage' })
export type OpenAiMessage = z.output<typeof OpenAiMessage>

const OpenAiTool = z
  .strictObject({
    type: z.literal('function').describe('Only functions are supported'),
    function: z
      .strictObject({
        name: z
          .string()
          .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of a-z, A-Z, 0-9, _ and -')
          .describe('Name by which the model calls it'),
        description: text(2_000, 0).optional().describe('Tells the model what it does and when to call it'),
        parameters: boundedRecord(text(200), z.unknown(), 100)
          .optional()
          .describe('JSON Schema of its arguments; default: none'),
        strict: z.boolean().nullable().optional().describe('Ignored'),
      })
      .describe('A function of the client that the model may call'),
  })
  .meta({ id: 'OpenAiTool' })

/** Accepted without effect: hints and labels that change no answer. */
const ignored = {
  user: z.unknown().optional().describe('Ignored'),
  metadata: z.unknown().optional().describe('Ignored'),
  store: z.unknown().optional().describe('Ignored'),
  seed: z.unknown().optional().describe('Ignored'),
  service_tier: z.unknown().optional().describe('Ignored'),
  parallel_tool_calls: z.unknown().optional().describe('Ignored'),
  prompt_cache_key: z.unknown().optional().describe('Ignored'),
  safety_identifier: z.unknown().optional().describe('Ignored'),
}

/** Accepted with the value that has no effect only: another one would change the answer. */
const neutral = {
  n: z
    .literal(1, 'must be 1: one answer is written')
    .nullable()
    .optional()
    .describe('Number of answers: only 1 is supported'),
  top_p: z
    .literal(1, 'must be 1, or be left out')
    .nullable()
    .optional()
    .describe('Only 1, the default, is supported; use `temperature`'),
  frequency_penalty: z
    .literal(0, 'must be 0, or be left out')
    .nullable()
    .optional()
    .describe('Only 0, the default, is supported'),
  presence_penalty: z
    .literal(0, 'must be 0, or be left out')
    .nullable()
    .optional()
    .describe('Only 0, the default, is supported'),
  logprobs: z
    .literal(false, 'must be false, or be left out')
    .nullable()
    .optional()
    .describe('Only false, the default, is supported'),
  response_format: z
    .strictObject({
      type: z.literal('text', 'must be text: other formats are not supported').describe('Only text is supported'),
    })
    .optional()
    .describe('Format of the answer'),
  stop: z.null('must be null, or be left out').optional().describe('Texts that end the answer are not supported'),
}

/** A request of the Chat Completions API of OpenAI (https://platform.openai.com/docs/api-reference/chat). */
export const OpenAiRequest = z
  .strictObject({
    model: text(300).meta({
      description: 'An agent (`agt_…`), or a model that `GET /v1/ai/openai/models` lists',
      examples: ['agt_01h455vb4pex5vsknk084sn02q'],
    }),
    messages: boundedArray(OpenAiMessage, maxMessages, { min: 1 }).describe(
      'The conversation so far, the newest message last',
    ),
    stream: z
      .boolean()
      .nullable()
      .optional()
      .describe('True for server-sent events: chunks of the answer as it is written'),
    stream_options: z
      .strictObject({
        include_usage: z.boolean().optional().describe('True for a last chunk with the used tokens'),
      })
      .nullable()
      .optional()
      .describe('Settings of a streamed answer'),
    tools: boundedArray(OpenAiTool, maxTools)
      .optional()
      .describe('Functions of the client. A call of one ends the answer with `finish_reason` `tool_calls`'),
    tool_choice: z
      .enum(['auto', 'none'])
      .optional()
      .describe('`none` hides the functions of the client from the model'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .optional()
      .describe('Randomness of the answer, from 0 (least) to 2; goes before the setting of the agent'),
    max_tokens: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .optional()
      .describe('Most tokens that one call of the model may write; older name of `max_completion_tokens`'),
    max_completion_tokens: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .optional()
      .describe(
        'Most tokens that one call of the model may write; goes before `max_tokens` and the setting of the agent',
      ),
    ...ignored,
    ...neutral,
  })
  .meta({ id: 'OpenAiRequest' })
export type OpenAiRequest = z.output<typeof OpenAiRequest>

const finishReasons = ['stop', 'length', 'content_filter', 'tool_calls'] as const

const OpenAiUsage = z.object({
  prompt_tokens: z.int().describe('Tokens that the model read'),
  completion_tokens: z.int().describe('Tokens that the model wrote'),
  total_tokens: z.int().describe('Sum of both'),
})

export const OpenAiCompletion = z
  .object({
    id: z.string().describe('`chatcmpl-` and the identifier of the run'),
    object: z.literal('chat.completion').describe('Kind of the object'),
    created: z.int().describe('Seconds since 1970'),
    model: z.string().describe('The `model` of the request'),
    choices: z
      .array(
        z.object({
          index: z.literal(0).describe('Position in `choices`'),
          message: z
            .object({
              role: z.literal('assistant').describe('An answer of the model'),
              content: z.string().nullable().describe('Text of the answer; null if there are only `tool_calls`'),
              refusal: z.null().describe('Always null'),
              tool_calls: z
                .array(ToolCall)
                .optional()
                .describe('Functions of the client that the model calls; absent if there are none'),
            })
            .describe('The answer as a message, to be sent back with the next question'),
          logprobs: z.null().describe('Always null'),
          finish_reason: z
            .enum(finishReasons)
            .describe(
              'Why the answer ended: `stop` is its regular end, `length` and `content_filter` cut it, `tool_calls` asks the client to call its functions',
            ),
        }),
      )
      .describe('The one answer'),
    usage: OpenAiUsage.describe('Tokens of the whole run'),
  })
  .meta({ id: 'OpenAiCompletion' })
export type OpenAiCompletion = z.output<typeof OpenAiCompletion>
export type OpenAiFinishReason = (typeof finishReasons)[number]

export const OpenAiModel = z
  .object({
    id: z.string().describe('Value for `model`'),
    object: z.literal('model').describe('Kind of the object'),
    created: z.int().describe('Time of creation of an agent, in seconds since 1970; 0 for a model'),
    owned_by: z.string().describe('`agents`, or the provider of the model: `local`, `default` or an integration'),
    name: z.string().describe('Name for people'),
  })
  .meta({ id: 'OpenAiModel' })
export type OpenAiModel = z.output<typeof OpenAiModel>

export const OpenAiModels = z
  .object({
    object: z.literal('list').describe('Kind of the object'),
    data: z.array(OpenAiModel).describe('Agents, then models'),
  })
  .meta({ id: 'OpenAiModels' })

export const OpenAiError = z
  .object({
    error: z
      .object({
        message: z.string().describe('What is wrong and what to do, in words'),
        type: z.string().describe('`invalid_request_error`, or `server_error` if the request was not at fault'),
        param: z
          .string()
          .nullable()
          .describe('JSON pointer of the wrong field of the request; null if it is not about one'),
        code: z.string().describe('Stable; a code of `Problem`'),
      })
      .describe('What went wrong'),
  })
  .meta({ id: 'OpenAiError' })

/** Returns the member `error` of a problem, as clients of OpenAI read it. */
export const openAiErrorOf = ({ code, status, detail, errors: [first] }: Problem): z.infer<typeof OpenAiError> => ({
  error: {
    message: detail,
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    param: first?.pointer ?? null,
    code,
  },
})
