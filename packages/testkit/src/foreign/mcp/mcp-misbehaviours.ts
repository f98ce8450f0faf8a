import type { ServerResponse } from 'node:http'
import type { McpMessage } from './mcp-server.ts'

/** The steps of an exchange with an MCP server, in order. `connect`: `initialize` or `server/discover`. */
export type McpStep = 'connect' | 'tools/list' | 'tools/call'

/** One way in which an MCP server misbehaves, at one step. */
export interface McpMisbehaviour {
  step: McpStep
  /** The misbehaviour in words, as the documentation lists it. */
  description: string
  /** Responds instead of the server. */
  act(response: ServerResponse, message: McpMessage): void
}

const send = (response: ServerResponse, type: string, body: string) =>
  void response.writeHead(200, { 'content-type': type }).end(body)
const text = (body: string) => (response: ServerResponse) => send(response, 'application/json', body)
const close = (response: ServerResponse) => void response.socket?.destroy()
const silence = () => {}
const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end()

/** Responds with a result, as JSON text. */
const result =
  (json: string) =>
  (response: ServerResponse, { id }: McpMessage) =>
    send(response, 'application/json', `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`)
const error =
  (json: string) =>
  (response: ServerResponse, { id }: McpMessage) =>
    send(response, 'application/json', `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${json}}`)

const otherId = (response: ServerResponse) =>
  send(response, 'application/json', '{"jsonrpc":"2.0","id":"other","result":{}}')

/** A stream of events with notifications and no response. */
function notifyForever(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n'
  const write = () => {
    while (!response.destroyed && response.write(event.repeat(100)));
  }
  response.on('drain', write)
  write()
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const tool = (more: string) => `{"name":"lookup","inputSchema":{"type":"object"}${more}}`
const content = (value: string) => `{"content":[{"type":"text","text":"${value}"}]}`

/** Every misbehaviour of the MCP server, by name. */
export const mcpMisbehaviours = {
  connectClose: { step: 'connect', description: 'closes the connection', act: close },
  connectSilence: { step: 'connect', description: 'says nothing', act: silence },
  connectUnauthorized: { step: 'connect', description: 'answers 401', act: status(401) },
  connectFailure: { step: 'connect', description: 'answers 500', act: status(500) },
  connectHtml: { step: 'connect', description: 'sends a page', act: (it) => send(it, 'text/html', '<html></html>') },
  connectNoJson: { step: 'connect', description: 'sends no JSON', act: text('{oops') },
  connectOtherId: { step: 'connect', description: 'answers another request', act: otherId },
  connectEmpty: { step: 'connect', description: 'sends an empty result', act: result('{}') },
  connectVersion: {
    step: 'connect',
    description: 'speaks an unknown revision',
    act: result('{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}'),
  },
  connectFlood: { step: 'connect', description: 'sends notifications without end', act: notifyForever },
  listClose: { step: 'tools/list', description: 'closes the connection', act: close },
  listSilence: { step: 'tools/list', description: 'says nothing', act: silence },
  listEndless: {
    step: 'tools/list',
    description: 'always has a next page',
    act: result(`{"tools":[${tool('')}],"nextCursor":"again"}`),
  },
  listNoTools: { step: 'tools/list', description: 'sends tools that are no list', act: result('{"tools":"many"}') },
  listMany: {
    step: 'tools/list',
    description: 'lists 5,000 tools',
    act: result(`{"tools":[${Array(5_000).fill(tool('')).join()}]}`),
  },
  listLong: {
    step: 'tools/list',
    description: 'sends 2 MiB',
    act: result(`{"tools":[${tool(`,"description":"${'x'.repeat(2_097_152)}"`)}]}`),
  },
  listNul: {
    step: 'tools/list',
    description: 'has NUL and half a surrogate pair in names and descriptions',
    act: result(
      '{"tools":[{"name":"look\\u0000up","description":"a\\u0000b\\ud800","inputSchema":{"type":"object"}}]}',
    ),
  },
  listDigit: {
    step: 'tools/list',
    description: 'has a name without letters',
    act: result('{"tools":[{"name":"42","inputSchema":{"type":"object"}}]}'),
  },
  listSchema: {
    step: 'tools/list',
    description: 'has a schema with a reference to another server',
    act: result(
      '{"tools":[{"name":"x","inputSchema":{"type":"object","properties":{"a":{"$ref":"http://x.test/"}}}}]}',
    ),
  },
  listDeepSchema: {
    step: 'tools/list',
    description: 'nests a schema 500 levels deep',
    act: result(`{"tools":[{"name":"x","inputSchema":{"type":"object","properties":${nested(500)}}}]}`),
  },
  callClose: { step: 'tools/call', description: 'closes the connection', act: close },
  callSilence: { step: 'tools/call', description: 'says nothing', act: silence },
  callFailure: { step: 'tools/call', description: 'answers 500', act: status(500) },
  callRefused: { step: 'tools/call', description: 'answers 429', act: status(429) },
  callUnauthorized: { step: 'tools/call', description: 'answers 401', act: status(401) },
  callError: {
    step: 'tools/call',
    description: 'sends an error with NUL',
    act: error('{"code":-32000,"message":"bad\\u0000\\ud800"}'),
  },
  callOtherId: { step: 'tools/call', description: 'answers another request', act: otherId },
  callFlood: { step: 'tools/call', description: 'sends notifications without end', act: notifyForever },
  callNoContent: { step: 'tools/call', description: 'sends a result without content', act: result('{}') },
  callOddContent: { step: 'tools/call', description: 'sends content that is no list', act: result('{"content":7}') },
  callNul: {
    step: 'tools/call',
    description: 'writes NUL and half a surrogate pair',
    act: result(content('a\\u0000b\\ud800')),
  },
  callDeep: {
    step: 'tools/call',
    description: 'nests structured content 3,000 levels deep',
    act: result(`{"content":[],"structuredContent":${nested(3_000)}}`),
  },
  callLong: { step: 'tools/call', description: 'writes 500,000 characters', act: result(content('x'.repeat(500_000))) },
  callParts: {
    step: 'tools/call',
    description: 'sends 10,000 parts',
    act: result(`{"content":[${Array(10_000).fill('{"type":"text","text":"part"}').join()}]}`),
  },
} as const satisfies Record<string, McpMisbehaviour>

export type McpMisbehaviourName = keyof typeof mcpMisbehaviours
