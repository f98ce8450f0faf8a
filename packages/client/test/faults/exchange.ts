import type { IncomingMessage, ServerResponse } from 'node:http'

/** One attempt of a client. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Path and query that the client requested, without the prefix of the scenario. */
  path: string
  body: Buffer
}

/** Answers one attempt. */
export type Answer = (exchange: Exchange) => void

const workspace = { success: true, data: { workspace_id: 'ws_1', name: 'One' } }

const sendJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  ({ response }) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-fault', ...headers })
      .end(JSON.stringify(body))

/** A complete success response. */
export const ok: Answer = sendJson(200, workspace)

/** An error of the platform. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  sendJson(
    status,
    { success: false, status, code, title: code, detail: `It was ${code}`, request_id: 'req-fault' },
    { 'content-type': 'application/problem+json', ...headers },
  )

/** A page of a proxy. */
export const html =
  (status: number, headers: Record<string, string> = {}): Answer =>
  ({ response }) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Oh</html>')

/** The HTTP date of a time from now. */
export const httpDate = (offsetSeconds: number): string => new Date(Date.now() + offsetSeconds * 1000).toUTCString()

export const reset: Answer = ({ request }) => void request.socket.resetAndDestroy()
export const never: Answer = () => undefined

/** Writes bytes in place of a response, and closes the connection. */
export const raw =
  (text: string): Answer =>
  ({ request }) =>
    void request.socket.end(text)

const json = JSON.stringify(workspace)

/** Declares another length than the body has. */
export const wrongLength = (length: number): Answer =>
  raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${json}`)

/** Ends in the middle of a chunk. */
export const cutChunk: Answer = raw(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"success"`,
)

/** Sends a byte of the body every 50 ms. */
export const drip: Answer = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' })
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}

/** Sends a body without end. */
export const endless: Answer = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(1024 * 1024, 0x20)
  const send = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', send)
  send()
}

/** The result of an upload: the bytes that arrived. */
export const uploaded: Answer = (exchange) =>
  sendJson(200, { success: true, data: { record_count: exchange.body.length } })(exchange)

/** An event of a run. Event 1 names it; a reconnecting client waits 20 ms. */
const runEvent = (id: number): string =>
  `${id === 1 ? 'retry: 20\n' : ''}id: ${id}\ndata: ${JSON.stringify(id === 1 ? { type: 'start', messageId: 'run_1' } : { type: 'text-delta', delta: `é${id}` })}\n\n`

const writeEvents = ({ response }: Exchange, bytes: string | Buffer) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(bytes)
}

/** Streams events, then resets the connection. @param cutBytes bytes of the last event that are not sent */
export const cutEvents =
  (first: number, last: number, cutBytes = 0): Answer =>
  (exchange) => {
    const bytes = Buffer.from(eventsOf(first, last))
    writeEvents(exchange, bytes.subarray(0, bytes.length - cutBytes))
    setImmediate(() => exchange.response.destroy())
  }

/** Streams the events after the last one that the client has, to the end of the run. */
export const restOfEvents =
  (last: number): Answer =>
  (exchange) => {
    const after = Number(exchange.request.headers['last-event-id'] ?? 0)
    writeEvents(exchange, `${eventsOf(after + 1, last)}data: [DONE]\n\n`)
    exchange.response.end()
  }

/** Streams events and then stays silent. */
export const silentAfter =
  (last: number): Answer =>
  (exchange) =>
    writeEvents(exchange, eventsOf(1, last))

/** Opens a stream and closes it without an event. */
export const emptyStream: Answer = (exchange) => {
  writeEvents(exchange, 'retry: 20\n\n')
  exchange.response.end()
}

/** The run that a repeated request has started before. */
export const startedRun: Answer = sendJson(202, { success: true, data: { id: 'run_1', status: 'running' } })

const eventsOf = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => runEvent(first + index)).join('')
