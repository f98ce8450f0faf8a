import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The revisions of the protocol that the server can speak. */
export const mcpRevisions = { modern: '2026-07-28', legacy: '2025-11-25' } as const

const { modern, legacy } = mcpRevisions

/** A message of JSON-RPC that the client sent. */
export interface McpMessage {
  id?: number | string
  method: string
  params?: Record<string, unknown>
}

/** An MCP server on loopback, which speaks one revision of the protocol. */
export interface TestMcpServer {
  url: string
  /** The requests, in order. */
  messages: { message: McpMessage; headers: IncomingHttpHeaders }[]
  revision: typeof modern | typeof legacy
  /** The tools that `tools/list` returns. */
  tools: unknown[]
  /** Returns the result of a call. */
  onCall: (name: string, input: unknown) => Record<string, unknown>
  /** Responds to a message instead of the server; returns false to let it respond. */
  intercept: (response: ServerResponse, message: McpMessage) => boolean
  close(): Promise<void>
}

export async function startMcpServer(): Promise<TestMcpServer> {
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = (await json(request)) as McpMessage // the client sends JSON-RPC
    server.messages.push({ message, headers: request.headers })
    if (server.intercept(response, message)) return
    if (message.id === undefined) return void response.writeHead(202).end()
    const answer = { jsonrpc: '2.0', id: message.id, ...answerTo(server, message) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo // a server that listens on TCP has such an address
  const server: TestMcpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    messages: [],
    revision: legacy,
    tools: [],
    onCall: () => ({ content: [] }),
    intercept: () => false,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
  return server
}

const serverInfo = { name: 'test', version: '1' }
const capabilities = { tools: {} }

function answerTo(server: TestMcpServer, { method, params = {} }: McpMessage): Record<string, unknown> {
  const complete = (result: Record<string, unknown>) => ({
    result:
      server.revision === modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result,
  })
  if (method === 'server/discover' && server.revision === modern)
    return complete({
      supportedVersions: [modern],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    })
  if (method === 'initialize' && server.revision === legacy)
    return complete({ protocolVersion: legacy, capabilities, serverInfo })
  if (method === 'tools/list') return complete({ tools: server.tools })
  if (method === 'tools/call') return complete(server.onCall(String(params.name), params.arguments))
  return { error: { code: -32601, message: 'Method not found' } }
}
