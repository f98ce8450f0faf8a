import {
  Client,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { type Outbound, OutboundError, type Protocol } from '@wp/outbound'
import { ToolFailure } from '../tool.ts'
import { type AccessContext, createRedaction, type IntegrationAccess } from './integration-access.ts'

/** Responses with these statuses cannot have a body. */
const bodylessStatuses = new Set([204, 205, 304])

/** Bytes of one response of a server. */
const maxResponseBytes = 1_048_576

interface McpCall {
  signal: AbortSignal
  timeoutMs: number
}

/**
 * Connects to an MCP server, in revision 2026-07-28 or 2025-11-25 as the server prefers, does the work, and
 * disconnects.
 * @param work gets a signal that is aborted too when the body of a response fails
 * @throws ToolFailure with a message without secrets if the server cannot be used
 */
export async function withMcpClient<T>(
  { outbound, protocols }: AccessContext,
  { config, secrets, report }: IntegrationAccess,
  { signal, timeoutMs }: McpCall,
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { token } = secrets
  let isUnauthorized = false
  const onResponse = (status: number) => {
    isUnauthorized ||= status === 401
  }
  const broken = new AbortController()
  const ending = AbortSignal.any([signal, broken.signal])
  const onBodyFailure = (error: unknown) => broken.abort(error)
  const transport = new StreamableHTTPClientTransport(new URL(String(config.url)), {
    fetch: createGuardedFetch({ outbound, protocols, signal, timeoutMs, maxResponseBytes, onResponse, onBodyFailure }),
    ...(token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    reconnectionOptions: noReconnection,
  })
  const client = new Client(clientInfo, {
    versionNegotiation: { mode: 'auto' },
    jsonSchemaValidator: acceptAll,
    listMaxPages: maxListPages,
  })
  try {
    await client.connect(transport, { timeout: timeoutMs, signal: ending })
    const result = await work(client, ending)
    report(200, '')
    return result
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolFailure) throw error
    const message = createRedaction(secrets)(messageOf(error, isUnauthorized), true)
    report(isUnauthorized ? 401 : undefined, message)
    throw new ToolFailure(message, { cause: error })
  } finally {
    await client.close().catch(() => undefined)
  }
}

/** A server with more pages of tools fails. */
const maxListPages = 10

const clientInfo = { name: 'workspace-platform', version: '1' }

/** A call that loses its connection fails: it may have had its effect. */
const noReconnection = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
}

/**
 * Results of a server are not compared with its own schemas: compiling schemas of strangers costs time without a limit.
 */
const acceptAll: jsonSchemaValidator = {
  getValidator<T>() {
    // The library's type of the result; nothing in it is read by that type.
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    })
  },
}

const maxMessageLength = 300

function messageOf(error: unknown, isUnauthorized: boolean): string {
  if (isUnauthorized) return 'The MCP server answered 401: it rejected the credentials'
  const cause = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error
  if (cause instanceof OutboundError) return `The MCP server cannot be reached: ${cause.message}`
  const text = error instanceof Error ? error.message : String(error)
  return `The MCP server failed: ${text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, maxMessageLength)
    .toWellFormed()}`
}

interface GuardedFetchOptions {
  outbound: Pick<Outbound, 'stream'>
  protocols: readonly Protocol[]
  /** Ends every request. */
  signal: AbortSignal
  timeoutMs: number
  maxResponseBytes: number
  /** Called with the status of each response. */
  onResponse?: (status: number) => void
  /** Called when the body of a response fails, of which a library may tell nothing while it waits for more. */
  onBodyFailure?: (error: unknown) => void
}

/** Creates a `fetch` over the guarded client, for libraries that take one. Follows no redirects. */
const createGuardedFetch =
  ({ outbound, protocols, signal, timeoutMs, maxResponseBytes, onResponse, onBodyFailure }: GuardedFetchOptions) =>
  async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { body, method = 'GET', headers, signal: ofRequest } = init
    if (typeof body !== 'string' && body !== undefined && body !== null)
      throw new Error('unsupported request body: only text is sent')
    const response = await outbound.stream({
      url: input,
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'workspace-platform' },
      body: body ?? undefined,
      protocols,
      signal: ofRequest ? AbortSignal.any([signal, ofRequest]) : signal,
      timeoutMs,
      connectTimeoutMs: timeoutMs,
      maxResponseBytes,
    })
    onResponse?.(response.status)
    const received = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) received.set(name, [value].flat().join(', '))
    if (!bodylessStatuses.has(response.status))
      return new Response(ReadableStream.from(readBody(response.body, onBodyFailure)), {
        status: response.status,
        headers: received,
      })
    response.body.destroy()
    return new Response(null, { status: response.status, headers: received })
  }

async function* readBody(
  body: AsyncIterable<Uint8Array>,
  onFailure: GuardedFetchOptions['onBodyFailure'],
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    onFailure?.(error)
    throw error
  }
}
