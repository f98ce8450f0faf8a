import { createMcpHandler } from '@modelcontextprotocol/server'
import { type BodyStream, type HttpResult, mcp, Problem } from '@wp/contracts'
import { maxBodyBytes, parseJsonBody, readBytes } from '@wp/service'
import type { Operation } from '../context.ts'
import { createProtocolServer } from '../create-protocol-server.ts'

/** Codes of JSON-RPC 2.0, section 5.1. */
const [parseError, invalidRequest] = [-32_700, -32_600]

/** The media types of a response, as the protocol requires a client to accept them. */
const accepted = 'application/json, text/event-stream'

/**
 * Handles one message of the Model Context Protocol, in any revision that the library knows. Nothing is kept between
 * messages, so each may go to another replica.
 */
export const message: Operation<'message'> = async (context, caller, { body, headers, signal }) => {
  const read = await readMessage(body)
  if ('code' in read) return jsonRpcError(read.code, read.detail)
  const handler = createMcpHandler(() => createProtocolServer(context, { caller, signal }), {
    onerror: (err) =>
      context.log.info({ event: 'message.rejected', err, request_id: caller.requestId }, 'message rejected'),
  })
  const request = new Request(context.config.PUBLIC_BASE_URL + mcp.message.path, {
    method: 'POST',
    headers: { ...headers, accept: acceptedTypes(headers.accept) },
    signal,
  })
  const response = await handler.fetch(request, { parsedBody: read.message })
  return toHttpResult(response)
}

async function toHttpResult({ status, headers, body }: Response): Promise<HttpResult> {
  const fields = Object.fromEntries([...headers].filter(([name]) => name !== 'connection'))
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  return {
    status,
    headers: fields as HttpResult['headers'], // `Headers` yields names in lower case
    body: isStream && body !== null ? body : await new Response(body).text(),
  }
}

const jsonRpcError = (code: number, detail: string): HttpResult => ({
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: detail } }),
})

/**
 * Returns the value of `Accept` for the protocol library, which rejects a request that does not name both media types
 * of a response. No field, or a range that includes both, accepts everything (RFC 9110, section 12.5.1).
 */
function acceptedTypes(accept: string | undefined): string {
  if (accept === undefined || accept.trim() === '') return accepted
  const ranges = accept.split(',').map(parseRange)
  const accepts = (type: string) => {
    const group = `${type.slice(0, type.indexOf('/'))}/*`
    // The most specific range decides.
    const range = [type, group, '*/*'].map((name) => ranges.find((one) => one.name === name)).find(Boolean)
    return range?.isAccepted === true
  }
  return ['application/json', 'text/event-stream'].every(accepts) ? accepted : ''
}

function parseRange(text: string): { name: string; isAccepted: boolean } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { name, isAccepted: !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) }
}

/** A JSON-RPC message, not yet validated, or what is wrong with the body. */
type ReadMessage = { message: object } | { code: number; detail: string }

/**
 * Reads the body of a request as one JSON-RPC message. Batches are not supported: revision 2025-06-18 removed them, and
 * one would be counted as a single request by the rate limits.
 * @throws Problem `payload_too_large`
 */
async function readMessage(body: BodyStream): Promise<ReadMessage> {
  const bytes = await readBytes(body, maxBodyBytes)
  try {
    const message = parseJsonBody(bytes)
    if (Array.isArray(message)) return { code: invalidRequest, detail: 'Batches are not supported; send one message' }
    if (typeof message !== 'object' || message === null)
      return { code: invalidRequest, detail: 'The body must be a JSON-RPC message' }
    return { message: withoutNulls(message) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code === 'malformed_body' ? parseError : invalidRequest, detail: error.detail }
  }
}

/** Some clients write null for parameters that are absent. */
function withoutNulls({ params, ...message }: { params?: unknown }): object {
  if (params === undefined || params === null) return message
  if (typeof params !== 'object' || Array.isArray(params)) return { ...message, params }
  return { ...message, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) }
}
