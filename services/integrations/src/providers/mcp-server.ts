import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { refuseFailure } from './http-call.ts'
import { defineProvider, type Outside } from './provider.ts'
import { baseUrl, headerSecret } from './shapes.ts'

const config = z.strictObject({ url: baseUrl().meta({ description: 'Its one endpoint, over streamable HTTP' }) })
const secrets = z.strictObject({ token: headerSecret().optional().meta({ description: 'Sent as Bearer' }) })

const Initialized = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.object({ protocolVersion: z.string(), serverInfo: z.object({ name: z.string() }) }),
})
const Failed = z.object({ error: z.object({ message: z.string() }) })

const protocolVersion = '2025-06-18'
const maxBytes = 1_048_576

/** A server of the Model Context Protocol. */
export const mcpServer = defineProvider({
  provider: 'mcp_server',
  name: 'MCP server',
  description: 'Tools of a server that speaks the Model Context Protocol over HTTP',
  config,
  secrets,
  addresses: ({ url }) => [{ pointer: '/config/url', url }],
  destination: ({ url }) => url,
  async test({ config: { url }, secrets: { token } }, outside) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { message, session } = await initialize(outside, url, headers)
    if (session !== undefined) await endSession(outside, url, { ...headers, 'mcp-session-id': session })
    if (Initialized.safeParse(message).success) return
    const said = Failed.safeParse(message).data?.error.message.slice(0, 300)
    throw new ConnectionFailure(
      'protocol',
      `The server does not answer like MCP${said === undefined ? '' : `: ${said}`}`,
    )
  },
})

async function initialize({ outbound, timeoutMs, protocols }: Outside, url: string, headers: Record<string, string>) {
  const stream = await outbound.stream({
    url,
    method: 'POST',
    headers: {
      ...headers,
      'user-agent': 'workspace-platform',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'workspace-platform', version: '1' } },
    }),
    protocols,
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    maxResponseBytes: maxBytes,
  })
  try {
    refuseFailure({ status: stream.status, json: undefined, text: '' }, 'The server')
    const isStream = /^text\/event-stream\b/i.test(String(stream.headers['content-type']))
    const session = stream.headers['mcp-session-id']
    return {
      message: isStream ? await firstMessage(stream.body) : parse(await whole(stream.body)),
      session: typeof session === 'string' ? session : undefined,
    }
  } finally {
    // A stream of events may go on for as long as the server likes.
    stream.body.destroy()
  }
}

/** The answer to the one thing that was asked, among what else a server may say. */
async function firstMessage(body: AsyncIterable<Buffer>): Promise<unknown> {
  let text = ''
  for await (const chunk of body) {
    text += chunk.toString('utf8')
    const events = text.split(/\r?\n\r?\n/)
    text = events.pop() ?? ''
    for (const event of events) {
      const message = parse(dataOf(event))
      if (typeof message === 'object' && message !== null && 'id' in message && message.id === 1) return message
    }
  }
  return undefined
}

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')

async function whole(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Kind, not needed: a server forgets sessions by itself, and need not let a client end one. */
async function endSession({ outbound, timeoutMs, protocols }: Outside, url: string, headers: Record<string, string>) {
  const patienceMs = Math.min(2_000, timeoutMs)
  await outbound.request({ url, method: 'DELETE', headers, protocols, timeoutMs: patienceMs }).catch(() => undefined)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
