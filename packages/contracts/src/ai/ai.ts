import { z } from 'zod'
import { Feedback, feedbackQuery, NewFeedback } from '../agents/evaluations/feedback-shapes.ts'
import { agentPath } from '../agents/shapes.ts'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import type { ErrorCode } from '../core/error/error.ts'
import { id } from '../core/shape/id.ts'
import { jobStates, listQuery, metadataFilter, text } from '../core/shape/shape.ts'
import { openAi } from './openai.ts'
import {
  AgentRun,
  AgentRunSummary,
  AiModel,
  Approval,
  ChatResult,
  Conversation,
  ConversationSummary,
  chatPath,
  conversationPath,
  NewAgentRun,
  NewChat,
  runPath,
  UiMessageChunk,
} from './shapes.ts'

/** The id of an event of a run: its number. */
const eventPosition = z.string().regex(/^\d{1,9}$/, 'must be the id of an event of the run')

const startErrors = [
  'unknown_reference',
  'agent_archived',
  'conversation_busy',
  'model_not_configured',
  'quota_exceeded',
] as const satisfies ErrorCode[]

const streamDescription =
  'A stream is in the UI message stream protocol of the AI SDK: one JSON chunk an event, `data: [DONE]` at the end. Every ' +
  'event has an id; a client that reconnects to `GET /v1/ai/runs/{id}/events` with `Last-Event-ID` continues after it.'

const ownerDescription =
  'A run of a conversation belongs to the principal that began the conversation, and is 404 for every other one.'

const dataDescription = 'Output of tools and citations require `data:read`; `redacted` names what is left out.'

/** Runs of agents, chat, conversations and models. */
export const ai = declareEndpoints('ai', {
  runAgent: {
    method: 'POST',
    path: '/v1/ai/agents/{agent_id}/run',
    summary: 'Run an agent',
    description:
      'Waits for the end of the run, at most 4 minutes; 202 with `background`, if the run waits for an approval, or if it ' +
      'has not ended by then: read it at `Location`. A run that failed is answered 200 with `status` `failed` and its ' +
      `\`error\`. ${streamDescription}`,
    scope: 'agents:run',
    params: agentPath,
    body: NewAgentRun,
    headers: ['accept'],
    response: 'json-or-events',
    eventData: UiMessageChunk,
    eventProtocol: 'ui-message-stream',
    ok: AgentRun,
    accepted: AgentRun,
    location: '/v1/ai/runs/{id}',
    limitClass: 'long',
    errors: startErrors,
    audit: { action: 'agent_run.started', target: 'agent_run', field: 'id' },
    tool: {
      name: 'run_agent',
      description: 'Starts a run of an agent with a question, or with an object that matches its `input_schema`.',
      fixed: { background: true, stream: false, on_disconnect: 'continue' },
      polledWith: 'get_agent_run',
      hints: { openWorld: true },
    },
  },
  listRuns: {
    method: 'GET',
    path: '/v1/ai/runs',
    summary: 'List runs, without their output and steps',
    description:
      'Lists the runs of the agents of the workspace and those of your own conversations, newest first. Runs of ' +
      'conversations of other principals are not listed, and those of evaluations only with `evaluation_id`. Read a run for ' +
      'its output.',
    scope: 'agents:read',
    query: listQuery({
      agent_id: id('agt').optional(),
      conversation_id: id('conv').optional(),
      trigger_id: id('trg').optional(),
      evaluation_id: id('eval').optional(),
      status: z.enum(jobStates).optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: AgentRunSummary,
    tool: { name: 'list_agent_runs', hints: { readOnly: true } },
  },
  getRun: {
    method: 'GET',
    path: '/v1/ai/runs/{id}',
    summary: 'Read a run with its output, citations and steps',
    description:
      'Poll it until `status` is `finished`, `failed` or `cancelled`, or read its events as a stream. `steps` lists the ' +
      `tools that were called, \`usage\` the tokens. ${ownerDescription} ${dataDescription}`,
    scope: 'agents:read',
    params: runPath,
    ok: AgentRun,
    tool: { name: 'get_agent_run', hints: { readOnly: true } },
  },
  streamRunEvents: {
    method: 'GET',
    path: '/v1/ai/runs/{id}/events',
    summary: 'Stream the events of a run from its beginning, or from a position, until it ends',
    description:
      `${streamDescription} ${ownerDescription} Output of tools and \`data-citation\` require \`data:read\`; without it ` +
      'the `messageMetadata` of `start` and `finish` has `redacted`.',
    scope: 'agents:read',
    params: runPath,
    query: z.strictObject({
      after: eventPosition.optional().describe('Id of the last event that was received, as `Last-Event-ID`'),
    }),
    response: 'events',
    eventData: UiMessageChunk,
    eventProtocol: 'ui-message-stream',
  },
  cancelRun: {
    method: 'POST',
    path: '/v1/ai/runs/{id}/cancel',
    summary: 'Cancel a run that has not ended',
    description:
      'The model and tool calls in progress are aborted. The output so far remains. A run that has ended cannot be ' +
      `cancelled. ${ownerDescription}`,
    scope: 'agents:run',
    params: runPath,
    ok: AgentRun,
    errors: ['conflict'],
    audit: { action: 'agent_run.cancelled', target: 'agent_run', field: 'id' },
  },
  approveRun: {
    method: 'POST',
    path: '/v1/ai/runs/{id}/approve',
    summary: 'Approve or deny a tool call that a run waits for; the run continues',
    description:
      'A tool that needs approval is not called before. If it is denied, the agent is told and goes on without it. A ' +
      'person who is signed in approves with `agents:run`. An API key, a service principal, or an application with a ' +
      'token that is restricted by `scope`, also needs `agents:write` to approve, so that it cannot approve the calls ' +
      `of a run that it started itself; to deny it needs \`agents:run\` alone. ${ownerDescription}`,
    scope: 'agents:run',
    params: runPath,
    body: Approval,
    ok: AgentRun,
    errors: ['conflict', 'unknown_reference'],
    audit: { action: 'agent_run.approval_decided', target: 'agent_run', field: 'id' },
  },
  giveFeedback: {
    method: 'POST',
    path: '/v1/ai/runs/{id}/feedback',
    summary: 'Rate the answer of a run',
    description: `Replaces your earlier rating of the run. ${ownerDescription}`,
    scope: 'ai:chat',
    params: runPath,
    body: NewFeedback,
    ok: Feedback,
    audit: { action: 'agent_run.rated', target: 'agent_run', field: 'run_id' },
  },
  listFeedback: {
    method: 'GET',
    path: '/v1/ai/feedback',
    summary: 'List the ratings of answers',
    description: 'Lists the ratings of runs that you may read, newest first.',
    scope: 'agents:read',
    query: feedbackQuery,
    list: Feedback,
  },
  chat: {
    method: 'POST',
    path: '/v1/ai/chat',
    summary: 'Send messages and get the answer of a model, from the data of the workspace',
    description:
      'Without `conversation_id` a conversation is created. With it, only the last message is new: the earlier ones are ' +
      'those of the conversation. A message that is sent again with its `id` is answered again. Waits for the answer; 202 ' +
      'with the run if it waits for an approval, or after four minutes. The transport of `useChat` (AI SDK) can send its ' +
      `requests here. ${streamDescription}`,
    scope: 'ai:chat',
    body: NewChat,
    headers: ['accept'],
    response: 'json-or-events',
    eventData: UiMessageChunk,
    eventProtocol: 'ui-message-stream',
    ok: ChatResult,
    accepted: AgentRun,
    location: '/v1/ai/runs/{id}',
    limitClass: 'long',
    errors: [...startErrors, 'conflict', 'model_failed'],
    audit: { action: 'chat.sent', target: 'conversation', field: 'conversation_id' },
  },
  resumeChat: {
    method: 'GET',
    path: '/v1/ai/chat/{id}/stream',
    summary: 'Resume the stream of the answer in progress of a chat',
    description:
      'The transport of `useChat` (AI SDK) sends this when a page is opened again (`resume: true`). `id` is the identifier ' +
      'of the chat at the client, or that of a conversation of yours. 200 with the stream of the answer in progress, from ' +
      'its beginning; 204 if there is none, also for a chat that does not exist yet.',
    scope: 'ai:chat',
    params: chatPath,
    response: 'http',
    eventData: UiMessageChunk,
    eventProtocol: 'ui-message-stream',
    httpResponses: {
      200: {
        description: 'The chunks of the answer in progress, in the UI message stream protocol',
        content: { 'text/event-stream': z.string() },
      },
      204: { description: 'No answer is in progress' },
    },
    limitClass: 'long',
  },
  listConversations: {
    method: 'GET',
    path: '/v1/ai/conversations',
    summary: 'List your conversations',
    description:
      'Lists the conversations of the principal of the credential, without their messages, newest first. No scope ' +
      'gives those of others.',
    scope: 'ai:chat',
    query: listQuery({ agent_id: id('agt').optional() }),
    list: ConversationSummary,
  },
  getConversation: {
    method: 'GET',
    path: '/v1/ai/conversations/{id}',
    summary: 'Read a conversation with its messages',
    description:
      'Returns all messages in their order, with citations, which require `data:read`. A conversation of another ' +
      'principal is 404.',
    scope: 'ai:chat',
    params: conversationPath,
    ok: Conversation,
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/v1/ai/conversations/{id}',
    summary: 'Delete a conversation with its messages; a run in it is cancelled',
    description: 'The content of its runs is erased too. A conversation of another principal is 404.',
    scope: 'ai:chat',
    params: conversationPath,
    deleted: 'id',
    audit: { action: 'conversation.deleted', target: 'conversation', field: 'id' },
  },
  listModels: {
    method: 'GET',
    path: '/v1/ai/models',
    summary: 'List the models that agents and chat can use',
    description:
      'Lists the built-in models and, for callers with the scope `integrations:read`, those of connected integrations. `available` is false for a model whose integration is not connected.',
    scope: 'ai:chat',
    query: listQuery({}),
    list: AiModel,
  },
  ...openAi,
})
