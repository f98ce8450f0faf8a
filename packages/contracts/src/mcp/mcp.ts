import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'

/** The Model Context Protocol (https://modelcontextprotocol.io/specification). */
export const mcp = {
  health: endpoint({
    id: 'mcp.health',
    method: 'GET',
    path: '/api/v1/mcp/health',
    summary: 'Read the health of the MCP service',
    credentials: 'none',
    limitClass: 'metadata',
    ok: z.object({ status: z.enum(['ok', 'degraded']) }),
  }),
  message: endpoint({
    id: 'mcp.message',
    method: 'POST',
    path: '/api/v1/mcp/mcp',
    summary: 'Exchange a JSON-RPC message of the Model Context Protocol (streamable HTTP, stateless)',
    scope: 'mcp:use',
    headers: ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
    input: 'stream',
    contentTypes: ['application/json'],
    response: 'http',
    limitClass: 'long',
  }),
}
