import { createMcpHandler } from '@modelcontextprotocol/server'
import { type HttpResult, mcp } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { acceptedTypes } from '../protocol/accepted-types.ts'
import { createProtocolServer } from '../protocol/create-protocol-server.ts'
import { readMessage } from '../protocol/read-message.ts'

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
