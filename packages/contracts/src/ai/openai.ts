import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { text } from '../core/shape/shape.ts'
import { OpenAiCompletion, OpenAiModel, OpenAiModels, OpenAiRequest } from './openai-shapes.ts'

/** The base address for clients of OpenAI. */
export const openAiPath = '/v1/ai/openai'

/**
 * The Chat Completions API of OpenAI over the agents and models of a workspace, so that programs that speak it can use
 * them: `/v1/ai/openai` is their base address, and an API key of the workspace their key.
 */
export const openAi = declareEndpoints('ai', {
  createOpenAiCompletion: {
    method: 'POST',
    path: `${openAiPath}/chat/completions`,
    summary: 'Answer as the Chat Completions API of OpenAI does',
    description:
      'For clients of OpenAI: the base address is `/v1/ai/openai`, the key an API key of the workspace, the model an agent or ' +
      'a model of the list. An agent answers with its own instructions and tools and needs `agents:run` too. Parameters that would ' +
      'change the answer and are not supported are refused. Errors have the members of a problem document and `error` beside them.',
    scope: 'ai:chat',
    acceptsKeyAsBearer: true,
    protocol: 'openai',
    body: OpenAiRequest,
    response: 'http',
    eventProtocol: 'openai',
    httpResponses: {
      200: {
        description: 'The answer, or with `stream` its chunks as server-sent events',
        content: { 'application/json': OpenAiCompletion, 'text/event-stream': z.string() },
      },
    },
    limitClass: 'long',
    errors: [
      'agent_archived',
      'quota_exceeded',
      'unknown_reference',
      'model_not_configured',
      'model_failed',
      'missing_scope',
    ],
  },
  listOpenAiModels: {
    method: 'GET',
    path: `${openAiPath}/models`,
    summary: 'List agents and models as the API of OpenAI does',
    description:
      'Agents come first, by their identifier, if the credential has `agents:read`; models of integrations need `integrations:read`.',
    scope: 'ai:chat',
    acceptsKeyAsBearer: true,
    protocol: 'openai',
    response: 'http',
    httpResponses: { 200: { description: 'Agents and models', content: { 'application/json': OpenAiModels } } },
  },
  getOpenAiModel: {
    method: 'GET',
    path: `${openAiPath}/models/{model}`,
    summary: 'Read an agent or a model as the API of OpenAI does',
    description:
      'Returns an entry of `GET /v1/ai/openai/models`. An identifier with a slash, as models of integrations have, is in that list alone.',
    scope: 'ai:chat',
    acceptsKeyAsBearer: true,
    protocol: 'openai',
    params: z.object({ model: text(300).describe('An agent (`agt_…`), `local` or `default`') }),
    response: 'http',
    httpResponses: { 200: { description: 'The agent or model', content: { 'application/json': OpenAiModel } } },
  },
})
