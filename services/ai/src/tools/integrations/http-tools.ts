import type { IntegrationTool, WorkspaceCaller } from '@wp/contracts'
import { integrationHeaders, isSubUrl, OutboundError } from '@wp/outbound'
import { z } from 'zod'
import type { ToolEffect } from '../autonomy.ts'
import { defineTool } from '../define-tool.ts'
import { shortenText } from '../limit-output.ts'
import { type AgentTool, type ToolCall, ToolFailure, uncertainEffect } from '../tool.ts'
import { type AccessContext, createRedaction, type IntegrationAccess, openIntegration } from './integration-access.ts'
import { prefixOf, toolNameOf } from './tool-names.ts'

const [maxResponseBytes, maxBodyText, requestTimeoutMs, toolTimeoutMs] = [262_144, 20_000, 25_000, 30_000]
const [maxPathLength, maxParameters, maxRequestBytes] = [1_024, 50, 65_536]

type HttpMethod = NonNullable<IntegrationTool['methods']>[number]

/**
 * Returns the tools for requests below the base address of an integration: one that reads, and one for the other
 * declared methods, which changes something there.
 * @throws ToolFailure if the integration does not exist or is disconnected
 */
export async function createHttpTools(
  context: AccessContext,
  caller: WorkspaceCaller,
  { integration_id: id, methods = ['GET'], description }: IntegrationTool,
): Promise<AgentTool[]> {
  const { name: integrationName, config } = await openIntegration(context, caller, id, 'http')
  const base = String(config.base_url)
  const about = `${description === undefined ? '' : `${description} `}Requests go to paths below ${base}.`
  const changing = methods.filter((method) => method !== 'GET')
  const create = (ending: 'get' | 'send', allowed: readonly HttpMethod[]) =>
    createHttpTool(context, { id, integrationName, name: toolNameOf('http', prefixOf(base), ending), about, allowed })
  return [
    ...(methods.includes('GET') ? [create('get', ['GET'])] : []),
    ...(changing.length > 0 ? [create('send', changing)] : []),
  ]
}

interface HttpToolOptions {
  id: string
  integrationName: string
  name: string
  about: string
  allowed: readonly HttpMethod[]
}

function createHttpTool(
  context: AccessContext,
  { id, integrationName, name, about, allowed }: HttpToolOptions,
): AgentTool {
  const isReading = allowed.every((method) => method === 'GET')
  const input = z.strictObject({
    path: z
      .string()
      .max(maxPathLength)
      .meta({ description: 'Below the base address, without its host', examples: ['/orders/7'] }),
    method: isReading ? z.literal('GET').default('GET') : z.enum([...allowed]),
    // unbounded: the input of a tool call has a limit of bytes
    query: z.record(z.string().max(200), z.union([z.string().max(2_000), z.number(), z.boolean()])).optional(),
    ...(isReading ? {} : { body: z.unknown().optional().describe('Sent as JSON') }),
  })
  return defineTool({
    name,
    description: isReading
      ? `Reads from an HTTP service with GET. ${about}`
      : `Changes something at an HTTP service. ${about}`,
    integration: { id, title: `${isReading ? 'Read from' : 'Send to'} ${integrationName}` },
    input,
    requiredScopes: ['integrations:read'],
    effectOf: (given) => (isReading ? 'harmless' : effectOfMethod(given)),
    isRepeatable: isReading,
    timeoutMs: toolTimeoutMs,
    async run(request, call) {
      const access = await openIntegration(context, call.caller, id, 'http')
      return { output: await sendRequest(context, access, { body: undefined, ...request }, call) }
    },
  })
}

/** An input without a valid method is refused before it is sent. */
const effectOfMethod = (input: unknown): ToolEffect =>
  typeof input === 'object' && input !== null && Reflect.get(input, 'method') === 'DELETE' ? 'destructive' : 'changing'

interface HttpRequest {
  path: string
  method: string
  query?: Record<string, string | number | boolean> | undefined
  body?: unknown
}

async function sendRequest(
  { outbound, protocols }: AccessContext,
  { config, secrets, report }: IntegrationAccess,
  request: HttpRequest,
  { signal }: ToolCall,
) {
  const redact = createRedaction(secrets)
  const url = urlOf(String(config.base_url), request)
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  if (body !== undefined && Buffer.byteLength(body) > maxRequestBytes)
    throw new ToolFailure(`The body must be at most ${maxRequestBytes / 1024} KiB long`)
  const response = await outbound
    .request({
      url,
      method: request.method,
      headers: {
        'user-agent': 'workspace-platform',
        accept: 'application/json, text/*;q=0.5',
        ...integrationHeaders(config, secrets),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
      protocols,
      signal,
      idempotent: request.method === 'GET',
      timeoutMs: requestTimeoutMs,
      maxResponseBytes,
      keepResponseBytes: maxResponseBytes,
    })
    .catch((error: unknown) => {
      signal.throwIfAborted()
      if (!(error instanceof OutboundError)) throw error
      const message = redact(error.message)
      report(undefined, message)
      throw new ToolFailure(`The request failed: ${message}${effectNote(request.method, error)}`, { cause: error })
    })
  report(...useOf(response.status))
  const type = String(response.headers['content-type'] ?? '')
  if (response.body.length > 0 && !textType.test(type))
    throw new ToolFailure(`The service answered ${response.status} with content that is not text or JSON`)
  return {
    status: response.status,
    ...bodyOf(redact(response.body.toString('utf8'), response.truncated), response.truncated),
  }
}

/** A request that was sent may have been carried out although no valid response came. */
function effectNote(method: string, { attempt: { stage } }: OutboundError): string {
  const wasSent = stage === 'request' || stage === 'response'
  return method === 'GET' || !wasSent ? '' : `. ${uncertainEffect}`
}

const textType = /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|xml)|application\/x-ndjson)\s*(?:;|$)/i

/** @throws ToolFailure unless the address is below the base address */
function urlOf(base: string, { path, query = {} }: HttpRequest): string {
  const url = URL.parse(`${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`)
  if (url === null || !isSubUrl(url.href, base))
    throw new ToolFailure('path must be below the base address of the integration')
  const parameters = Object.entries(query)
  if (parameters.length > maxParameters) throw new ToolFailure(`query must have at most ${maxParameters} members`)
  for (const [name, value] of parameters) url.searchParams.append(name, String(value))
  url.hash = ''
  return url.href
}

/** Only 401 says that the credentials are wrong. A 403 or 404 can be about this one address. */
function useOf(status: number): [number, string] {
  if (status === 401) return [status, 'The service answered 401: it rejected the credentials']
  return status >= 500 ? [status, `The service answered ${status}`] : [200, '']
}

function bodyOf(text: string, isTruncated: boolean): { body: unknown; truncated?: true } {
  if (isTruncated || text.length > maxBodyText) return { body: shortenText(text, maxBodyText), truncated: true }
  try {
    return { body: JSON.parse(text) }
  } catch {
    return { body: text }
  }
}
