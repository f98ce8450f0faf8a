import type { Readable } from 'node:stream'
import { boundedArray, text } from '@wp/contracts'
import { credentialDestination } from '@wp/outbound'
import { parseJson } from '@wp/runtime'
import { z } from 'zod'
import { throwOnErrorStatus } from '../call-provider.ts'
import { ConnectionFailure } from '../connection-failure.ts'
import { baseUrl, defineProvider, headerSecret, type TestAccess } from '../provider.ts'

const [maxToolNames, maxToolName] = [100, 200]

const config = z.strictObject({
  url: baseUrl().describe('The endpoint of the server (streamable HTTP)'),
  tools_without_approval: boundedArray(text(maxToolName), maxToolNames)
    .optional()
    .describe(
      'Names of tools that agents may call without the approval of a person, as the server names them; default none. ' +
        'What the server declares about its tools is not trusted',
    ),
  tools_with_approval: boundedArray(text(maxToolName), maxToolNames)
    .optional()
    .describe(
      'Names of tools that always need the approval of a person, also for an autonomous agent; default those that the ' +
        'server declares to be destructive',
    ),
})
const secrets = z.strictObject({ token: headerSecret().optional().describe('Sent as Bearer') })

const Initialized = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.object({ protocolVersion: z.string(), serverInfo: z.object({ name: z.string() }) }),
})
/** More revisions of the protocol than there are. */
const maxVersions = 100
const Discovered = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.object({ supportedVersions: z.array(z.string()).max(maxVersions), capabilities: z.looseObject({}) }),
})
const Failed = z.object({ error: z.object({ message: z.string() }) })

const clientInfo = { name: 'workspace-platform', version: '1' }

/** The first request to a server. */
interface Greeting {
  revision: string
  method: string
  params: Record<string, unknown>
  response: z.ZodType
}

/** Up to 2025-11-25 a connection begins with `initialize`. */
const initialize: Greeting = {
  revision: '2025-11-25',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  response: Initialized,
}

/** Since 2026-07-28 there is no connection; `server/discover` tells what the server is. */
const discover: Greeting = {
  revision: '2026-07-28',
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
  response: Discovered,
}

const maxBytes = 1_048_576

/** A Model Context Protocol server. */
export const mcpServer = defineProvider({
  provider: 'mcp_server',
  name: 'MCP server',
  description: 'Tools of a Model Context Protocol server over HTTP',
  config,
  secrets,
  addresses: ({ url }) => [{ pointer: '/config/url', url }],
  destination: ({ url }) => credentialDestination(url),
  async test({ config: { url }, secrets: { token } }, access) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    try {
      await greet(access, url, headers, initialize)
    } catch (error) {
      if (!(error instanceof ConnectionFailure) || !['protocol', 'not_found'].includes(error.code)) throw error
      // A server of the newer revision alone knows no `initialize`. If it fails too, the first error says more.
      await greet(access, url, headers, discover).catch((second: unknown) => {
        throw second instanceof ConnectionFailure ? error : second
      })
    }
  },
})

/** @throws ConnectionFailure unless the server responds as the protocol requires */
async function greet(
  access: TestAccess,
  url: string,
  headers: Record<string, string>,
  greeting: Greeting,
): Promise<void> {
  const { message, session } = await send(access, url, headers, greeting)
  if (session !== undefined) await endSession(access, url, { ...headers, 'mcp-session-id': session })
  if (greeting.response.safeParse(message).success) return
  const detail = Failed.safeParse(message).data?.error.message.slice(0, 300)
  throw new ConnectionFailure(
    'protocol',
    `The server does not respond like an MCP server${detail === undefined ? '' : `: ${detail}`}`,
  )
}

async function send(
  { outbound, timeoutMs, protocols, signal }: TestAccess,
  url: string,
  headers: Record<string, string>,
  { revision, method, params }: Greeting,
) {
  const stream = await outbound.stream({
    url,
    method: 'POST',
    headers: {
      ...headers,
      'user-agent': 'workspace-platform',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    protocols,
    signal,
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    maxResponseBytes: maxBytes,
  })
  try {
    throwOnErrorStatus({ status: stream.status, json: undefined, text: '' }, 'The server')
    const isStream = /^text\/event-stream\b/i.test(String(stream.headers['content-type']))
    const session = stream.headers['mcp-session-id']
    return {
      message: isStream ? await firstMessage(stream.body) : parseJson(await readAll(stream.body)),
      session: typeof session === 'string' ? session : undefined,
    }
  } finally {
    // An event stream can stay open indefinitely.
    stream.body.destroy()
  }
}

/** Returns the response to request 1; the server may send other messages before it. */
async function firstMessage(body: Readable): Promise<unknown> {
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
    if (line !== '') continue
    const message = parseJson(data.join('\n'))
    if (typeof message === 'object' && message !== null && 'id' in message && message.id === 1) return message
    data = []
  }
  return undefined
}

/** Yields complete lines. Searches each chunk once: a server may send a long line in very many small chunks. */
async function* readLines(body: Readable): AsyncGenerator<string> {
  let parts: string[] = []
  for await (const chunk of body.setEncoding('utf8')) {
    const pieces = String(chunk).split('\n')
    const last = pieces.pop() ?? ''
    for (const piece of pieces) {
      yield [...parts, piece].join('').replace(/\r$/, '')
      parts = []
    }
    parts.push(last)
  }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Ends the session as a courtesy. Servers expire sessions themselves and may refuse, so errors are ignored. */
async function endSession(
  { outbound, timeoutMs, protocols, signal }: TestAccess,
  url: string,
  headers: Record<string, string>,
) {
  const shortTimeoutMs = Math.min(2_000, timeoutMs)
  await outbound
    .request({ url, method: 'DELETE', headers, protocols, signal, timeoutMs: shortTimeoutMs })
    .catch(() => undefined)
}
