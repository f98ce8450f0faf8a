import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'

const Message = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of the protocol'),
    id: z.union([z.string(), z.int()]).optional().describe('Absent in a notification'),
    method: z.string().optional().describe('Name of the method, such as `tools/call`; absent in a response'),
    params: z.record(z.string(), z.unknown()).optional().describe('Parameters of the method'),
  })
  .meta({ id: 'McpMessage', description: 'One message of JSON-RPC 2.0' })

const MessageResponse = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of the protocol'),
    id: z
      .union([z.string(), z.int()])
      .nullish()
      .describe('The `id` of the message that it answers; null if that could not be read'),
    result: z.record(z.string(), z.unknown()).optional().describe('Result of the method; absent in an error'),
    error: z
      .looseObject({
        code: z.int().describe('Number of the error by JSON-RPC 2.0 and MCP'),
        message: z.string().describe('The error in words'),
      })
      .optional()
      .describe('What went wrong; absent with a result'),
  })
  .meta({ id: 'McpMessageResponse', description: 'A response of JSON-RPC 2.0: a result or an error' })

/** The Model Context Protocol (https://modelcontextprotocol.io/specification). */
export const mcp = declareEndpoints('mcp', {
  health: {
    method: 'GET',
    path: '/api/v1/mcp/health',
    summary: 'Read the health of the MCP service',
    description: 'Reports whether the service is ready. No credential is needed.',
    credentials: 'none',
    limitClass: 'metadata',
    ok: z.object({ status: z.enum(['ok', 'degraded']).describe('`ok` if the service is ready') }),
  },
  message: {
    method: 'POST',
    path: '/api/v1/mcp/mcp',
    summary: 'Exchange a JSON-RPC message of the Model Context Protocol (streamable HTTP, stateless)',
    description:
      'Send one JSON-RPC message a request; nothing is kept between requests, so no session is needed. The tools are endpoints of this API, and each needs the scope of its endpoint. See https://modelcontextprotocol.io for the messages.',
    scope: 'mcp:use',
    headers: ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
    input: 'stream',
    contentTypes: ['application/json'],
    documentedBody: Message,
    response: 'http',
    httpResponses: {
      200: {
        description: 'The response to the message, as JSON or as a stream of events, whichever `Accept` prefers',
        content: { 'application/json': MessageResponse, 'text/event-stream': z.string() },
      },
      202: { description: 'A notification was received; there is no body' },
      400: {
        description: 'The body is no message, or the request is not valid',
        content: { 'application/json': MessageResponse },
      },
      406: {
        description: '`Accept` excludes `application/json` or `text/event-stream`; without the field both are accepted',
        content: { 'application/json': MessageResponse },
      },
    },
    limitClass: 'long',
  },
})
