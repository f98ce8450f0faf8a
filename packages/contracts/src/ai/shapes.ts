import { z } from 'zod'
import { Cost, CostLimit } from '../agents/budget-shapes.ts'
import { Model } from '../agents/model-shapes.ts'
import { maxInputMembers, maxMessageText } from '../agents/trigger-shapes.ts'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { jobFields, metadata, text, timestamp } from '../core/shape/shape.ts'
import { Citation, messages, Usage } from './message-shapes.ts'

const maxChatSources = 100
const [defaultMaxSteps, limitMaxSteps, limitMaxTokens] = [10, 50, 1_000_000_000]
const [defaultTimeoutMs, minTimeoutMs, limitTimeoutMs] = [300_000, 1_000, 3_600_000]

/**
 * `waiting`: for an approval. `denied`: by a person. `cancelled`: the run ended before the call was made.
 * `interrupted`: it ended during the call, of which it is unknown whether it had its effect.
 */
export const stepStates = ['running', 'finished', 'failed', 'waiting', 'denied', 'cancelled', 'interrupted'] as const
export type StepStatus = (typeof stepStates)[number]

/** The parts of a run or conversation that require `data:read`. */
const redactedPartNames = ['tool_output', 'citations'] as const
export type RedactedPart = (typeof redactedPartNames)[number]

const redacted = () =>
  z
    .array(z.enum(redactedPartNames))
    .describe(
      'Parts that are left out because the credential does not have `data:read`: `tool_output` (then `output` of the ' +
        'steps is null, and `error` without details) and `citations` (then empty). Empty if nothing is left out',
    )

/** The integration whose tool a call is. */
const integrationOfCall = {
  integration_id: id('int').nullable().describe('The integration whose tool it is; null for tools of the platform'),
  title: z
    .string()
    .nullable()
    .describe('What the call does, by the name of the integration at that time, such as `Send to Tickets`; else null'),
}

/** A call of a tool. */
const RunStep = z
  .object({
    id: z.string().describe('Identifier of the tool call in the run'),
    tool: z.string().describe('Name of the called tool'),
    ...integrationOfCall,
    input: z.unknown().describe('Arguments that the model passed'),
    output: z.unknown().describe('Result of the tool; null until it has one, and if it is left out (see `redacted`)'),
    status: z
      .enum(stepStates)
      .describe(
        '`waiting` for an approval, which may end as `denied`, or as `cancelled` if the run ended before the call was ' +
          'made; `running`; `finished` or `failed`; `interrupted` if the run ended first, so that the effect is unknown',
      ),
    duration_ms: z.int().nullable().describe('Time that the tool took, in milliseconds; null until it has ended'),
    usage: Usage.nullable().describe('Use of the model call that made it'),
    error: z.string().nullable().describe('Why the call failed, in words; null unless it failed'),
  })
  .meta({ id: 'RunStep' })

/** Why a run ended its answer. */
export const runFinishReasons = ['stop', 'length', 'content_filter', 'tool_calls', 'budget', 'other'] as const
export type RunFinishReason = (typeof runFinishReasons)[number]

const finishReason = () =>
  z
    .enum(runFinishReasons)
    .nullable()
    .describe(
      'Why the answer ended: `stop` is its regular end; `length` and `content_filter` cut it, `tool_calls` ended it at ' +
        '`max_steps`, `budget` when a budget was used up. `warnings` says what follows. Null unless the run finished',
    )

/** A tool call that waits for a person, or was decided by one. */
const RunApproval = z
  .object({
    id: z.string().describe('Identifier of the tool call in the run'),
    tool: z.string().describe('Name of the tool that the model wants to call'),
    ...integrationOfCall,
    input: z.unknown().describe('Arguments that the model wants to pass'),
    status: z
      .enum(['pending', 'approved', 'denied', 'cancelled'])
      .describe('`pending` until a person decides; `cancelled` if the run ended first'),
    decided_by: z.string().nullable().describe('The principal that decided; null if none has'),
    decided_at: timestamp().nullable().describe('When it was decided; null if it was not'),
  })
  .meta({ id: 'RunApproval' })

/** A run in a list: without its output and steps. */
export const AgentRunSummary = z
  .object({
    id: id('run'),
    agent_id: id('agt').nullable().describe('Null for the run of a chat without an agent'),
    agent_version: z.int().nullable().describe('Version of the agent that answered; null without an agent'),
    conversation_id: id('conv')
      .nullable()
      .describe('The conversation that the run belongs to; null if it belongs to none'),
    trigger_id: id('trg').nullable().describe('The trigger that started it; null if it was requested'),
    evaluation_id: id('eval').nullable().describe('The evaluation that it belongs to'),
    ...jobFields,
    usage: Usage,
    cost: Cost.nullable().describe(
      'What its calls of the model cost, by the price of the model at each call; null if it is not known, and for `local`',
    ),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
  })
  .meta({ id: 'AgentRunSummary' })

export const AgentRun = AgentRunSummary.extend({
  input: z.unknown().describe('The `input`, or the text of the last message'),
  output: z.string().nullable().describe('The text of the answer; of a failed run, what was written'),
  finish_reason: finishReason(),
  citations: z.array(Citation).describe('Records that the answer refers to by markers such as `[1]`'),
  steps: z.array(RunStep).describe('Calls of tools, in order'),
  approvals: z.array(RunApproval).describe('Calls that need, or needed, the approval of a person'),
  warnings: z
    .array(
      z.object({
        code: z.string().describe('Stable, such as `output_truncated` or `max_steps_reached`'),
        message: z.string().describe('The same in words, and what to do'),
      }),
    )
    .describe('What makes the answer incomplete or less reliable; known when the run has finished'),
  redacted: redacted(),
}).meta({ id: 'AgentRun' })
export type AgentRun = z.output<typeof AgentRun>

/** The options that runs and chats share. */
const executionFields = {
  conversation_id: id('conv').optional().describe('Continues a conversation; default: none'),
  stream: z.boolean().default(false).describe('Responds with server-sent events, as does `Accept: text/event-stream`'),
  max_steps: z.int().min(1).max(limitMaxSteps).default(defaultMaxSteps).describe('Calls of the model'),
  max_tokens: z
    .int()
    .min(1)
    .max(limitMaxTokens)
    .optional()
    .describe('Tokens of the run, in and out: the step that reaches them is the last. Default: no limit'),
  max_cost: CostLimit.optional().describe(
    'Money of the run: the step that reaches it is the last. Requires a price of the model in this currency. Default: no limit',
  ),
  timeout_ms: z
    .int()
    .min(minTimeoutMs)
    .max(limitTimeoutMs)
    .default(defaultTimeoutMs)
    .describe('Time after which the run fails, in milliseconds'),
  on_disconnect: z
    .enum(['cancel', 'continue'])
    .default('continue')
    .describe('What becomes of the run if the client disconnects while it waits or streams'),
}

export const NewAgentRun = z
  .strictObject({
    input: z
      .union([text(maxMessageText), boundedRecord(text(200), z.unknown(), maxInputMembers)])
      .optional()
      .describe('A question, or an object that matches the `input_schema` of the agent'),
    messages: messages()
      .optional()
      .describe('The conversation so far, the newest message last; send either this or `input`'),
    ...executionFields,
    background: z.boolean().default(false).describe('Responds 202 at once'),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .refine(({ input, messages: given }) => (input === undefined) !== (given === undefined), {
    path: ['input'],
    message: 'send either input or messages',
  })
  .refine(({ background, stream }) => !(background && stream), {
    path: ['stream'],
    message: 'must be false for a background run; read its events at GET /v1/ai/runs/{id}/events',
  })
  .meta({ id: 'NewAgentRun' })

const agentOnly = 'is not allowed with agent_id: the agent has its own'

export const NewChat = z
  .strictObject({
    messages: messages().describe('The conversation so far, the newest message last'),
    agent_id: id('agt').optional().describe('Answers as this agent, with its model and tools'),
    data_source_ids: boundedArray(id('src'), maxChatSources)
      .optional()
      .describe('The data sources to answer from; default: all that the caller may read'),
    model: Model.optional().describe(
      'Default: that of the operator if there is one, otherwise `local`. A model of an integration requires the scope `integrations:read` too',
    ),
    ...executionFields,
    id: text(200)
      .refine(
        (chat) => !/^\.{1,2}$|[/\\]/.test(chat),
        'must be without / and \\, and not . or ..: it is a part of a path',
      )
      .optional()
      .describe(
        'Identifier of the chat at the client, as `useChat` sends it: continues the conversation that was created with it',
      ),
    trigger: z
      .enum(['submit-message', 'regenerate-message'])
      .optional()
      .describe('Sent by `useChat`; its presence asks for a stream'),
    messageId: text(200).optional().describe('Sent by `useChat`; ignored'),
  })
  .refine((chat) => chat.agent_id === undefined || chat.model === undefined, { path: ['model'], message: agentOnly })
  .refine((chat) => chat.agent_id === undefined || chat.data_source_ids === undefined, {
    path: ['data_source_ids'],
    message: agentOnly,
  })
  .meta({ id: 'NewChat' })

/** A message of the assistant. */
const AssistantMessage = z.object({
  id: z.string().describe('Identifier of the message in the conversation'),
  role: z.literal('assistant').describe('Always the model'),
  content: z.string().describe('Text of the answer'),
})

export const ChatResult = z
  .object({
    message: AssistantMessage.describe('The answer'),
    citations: z.array(Citation).describe('Records that the answer refers to by markers such as `[1]`'),
    usage: Usage,
    conversation_id: id('conv'),
    run_id: id('run'),
    finish_reason: finishReason(),
    warnings: z
      .array(
        z.object({
          code: z.string().describe('Stable, such as `output_truncated` or `max_steps_reached`'),
          message: z.string().describe('The same in words, and what to do'),
        }),
      )
      .describe('What makes the answer incomplete or less reliable'),
    redacted: redacted(),
  })
  .meta({ id: 'ChatResult' })

export const ConversationSummary = z
  .object({
    id: id('conv'),
    title: z.string().nullable().describe('Beginning of the first message of the user; null if it has no text'),
    agent_id: id('agt').nullable().describe('The agent that answers; null for a chat without one'),
    message_count: z.int().describe('Number of its messages'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ConversationSummary' })

export const Conversation = ConversationSummary.extend({
  redacted: redacted(),
  messages: z
    .array(
      z.object({
        id: z.string().describe('Identifier of the message: that of the client, if it sent one'),
        role: z
          .enum(['user', 'assistant', 'system'])
          .describe('Author of the message: the `user`, the model (`assistant`) or the application (`system`)'),
        content: z.string().describe('Text of the message'),
        citations: z.array(Citation).describe('Records that an answer refers to; empty for other messages'),
        run_id: z.string().nullable().describe('The run that wrote the answer; null for other messages'),
        created_at: timestamp(),
      }),
    )
    .describe('The newest 1,000 messages, oldest first'),
}).meta({ id: 'Conversation' })

export const AiModel = z
  .object({
    id: z.string().describe('Value for the `id` of a model'),
    provider: z.string().describe('`local`, `default` or the identifier of an integration'),
    name: z.string().describe('Name for people'),
    description: z.string().describe('What the model is or, if it is not available, why not'),
    available: z.boolean().describe('False if it cannot be used now'),
  })
  .meta({ id: 'AiModel' })

/** One chunk of a stream: the UI message stream protocol of the AI SDK. */
export const UiMessageChunk = z.looseObject({
  type: z.string().describe('Kind of the chunk in the UI message stream of the AI SDK, such as `text-delta`'),
})

export const Approval = z
  .strictObject({
    approval_id: text(200).optional().describe('A pending call; may be omitted if only one is pending'),
    approved: z.boolean().default(true).describe('False denies the call, and tells the model'),
    reason: text(1_000).optional().describe('Told to the model if the call is denied'),
  })
  .meta({ id: 'Approval' })

export const runPath = z.object({ id: id('run') })
export const conversationPath = z.object({ id: id('conv') })

export const chatPath = z.object({
  id: text(200).describe('Identifier of the chat at the client, or of a conversation of yours'),
})
