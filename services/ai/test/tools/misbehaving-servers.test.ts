import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { ToolReference } from '@wp/contracts'
import { createOutbound, type Outbound } from '@wp/outbound'
import { createLogger } from '@wp/service'
import {
  type HttpMisbehaviourName,
  httpMisbehaviours,
  type McpMisbehaviourName,
  type McpStep,
  type MisbehavingHttpServer,
  mcpMisbehaviours,
  startMcpServer,
  startMisbehavingHttpServer,
  type TestMcpServer,
} from '@wp/testkit'
import { storableJson } from '../../src/store/storable-json.ts'
import { resolveTools } from '../../src/tools/resolve-tools.ts'
import { uncertainEffect } from '../../src/tools/tool.ts'
import { startToolsHarness, type ToolsHarness } from './harness.ts'

/** `fails`: the model is told so. Otherwise the output that the model gets. */
type Outcome = 'fails' | { status: number; body?: unknown; truncated?: true }

/** The same table as in docs/foreign-answers.md. */
const httpOutcomes = {
  connectionClose: 'fails',
  connectionReset: 'fails',
  connectionSilence: 'fails',
  headNotHttp: 'fails',
  headCut: 'fails',
  headFlood: 'fails',
  statusRedirect: { status: 302 },
  statusUnauthorized: { status: 401, body: 'no, not [secret]' },
  statusFailure: { status: 500, body: 'oops' },
  statusOdd: { status: 999, body: 'odd' },
  bodyShort: 'fails',
  bodyBrokenChunk: 'fails',
  bodyFlood: { status: 200, truncated: true },
  bodyBomb: 'fails',
  bodyNoGzip: 'fails',
  contentBinary: 'fails',
  contentNotJson: { status: 200, body: '{oops' },
  contentNul: { status: 200, body: { ab: 'cd' } },
  contentHalfPair: { status: 200, body: { a: 'b\ufffd' } },
  contentBytes: { status: 200, body: 'a\ufffd\ufffdb' },
  contentDeep: { status: 200 },
  contentNumbers: { status: 200, body: { a: 'Infinity', b: '-Infinity' } },
  contentLong: { status: 200, truncated: true },
} satisfies Record<HttpMisbehaviourName, Outcome>

/** `unavailable`: the run goes on without the tools, with a warning. */
type McpOutcome = 'unavailable' | 'fails' | { names: readonly string[] } | { output: unknown }

/** The same table as in docs/foreign-answers.md. */
const mcpOutcomes = {
  connectClose: 'unavailable',
  connectSilence: 'unavailable',
  connectUnauthorized: 'unavailable',
  connectFailure: 'unavailable',
  connectHtml: 'unavailable',
  connectNoJson: 'unavailable',
  connectOtherId: 'unavailable',
  connectEmpty: 'unavailable',
  connectVersion: 'unavailable',
  connectFlood: 'unavailable',
  listClose: 'unavailable',
  listSilence: 'unavailable',
  listEndless: { names: ['tool_127_0_0_1_lookup'] },
  listNoTools: 'unavailable',
  listMany: {
    names: ['tool_127_0_0_1_lookup', ...Array.from({ length: 49 }, (_, n) => `tool_127_0_0_1_lookup_${n + 2}`)],
  },
  listLong: 'unavailable',
  listNul: { names: ['tool_127_0_0_1_look_up'] },
  listDigit: { names: ['tool_127_0_0_1_42'] },
  listSchema: { names: [] },
  listDeepSchema: { names: [] },
  callClose: 'fails',
  callSilence: 'fails',
  callFailure: 'fails',
  callRefused: 'fails',
  callUnauthorized: 'fails',
  callError: 'fails',
  callOtherId: 'fails',
  callFlood: 'fails',
  callNoContent: { output: { content: [] } },
  callOddContent: 'fails',
  callNul: { output: { content: ['ab\ufffd'] } },
  callDeep: { output: { structured_content: expect.anything() } },
  callLong: { output: { content: [expect.stringMatching(/^x+…$/)] } },
  callParts: { output: { truncated: true, beginning: expect.any(String) } },
} satisfies Record<McpMisbehaviourName, McpOutcome>

/** Short, so that a server that says nothing costs no time; long enough for loopback on a busy machine. */
const patienceMs = 700

let harness: ToolsHarness
let outbound: Outbound
let http: MisbehavingHttpServer
let mcp: TestMcpServer
let httpId: string
let mcpId: string
let warnings: { code: string; message: string }[] = []
beforeAll(async () => {
  harness = await startToolsHarness(['auth', 'integrations'])
  outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] })
  http = await startMisbehavingHttpServer()
  mcp = await startMcpServer()
  const secrets = { token: 'token-of-the-service-123' }
  httpId = await connect('http', { base_url: http.url }, secrets)
  mcpId = await connect('mcp_server', { url: mcp.url }, secrets)
})
afterAll(async () => {
  outbound.close()
  await Promise.all([http.close(), mcp.close(), harness.stop()])
})
beforeEach(() => {
  warnings = []
  mcp.intercept = () => false
  mcp.tools = [{ name: 'lookup', inputSchema: { type: 'object' } }]
})

async function connect(provider: string, config: Record<string, unknown>, secrets: Record<string, string>) {
  const as = await harness.fleet.token(harness.fleet.owner)
  const body = { provider, name: 'test', config, secrets }
  const created = await harness.fleet.request('POST', '/v1/integrations/integrations', { as, body })
  if (created.status !== 201) throw new Error(`no integration: ${JSON.stringify(created.body)}`)
  return String(created.body.data.integration_id)
}

/** The outbound client with the patience of the test. */
const impatient = (): Outbound => ({
  ...outbound,
  request: (request) => outbound.request({ ...request, timeoutMs: patienceMs }),
  stream: (request) => outbound.stream({ ...request, timeoutMs: patienceMs }),
})

const resolve = (reference: ToolReference) =>
  resolveTools(
    { internal: harness.internal, outbound: impatient(), protocols: ['http:'], log: createLogger('ai', 'silent') },
    harness.call().caller,
    [reference],
    { warn: (warning) => void warnings.push(warning), timeouts: { listMs: patienceMs, callMs: patienceMs } },
  )

/** Every output and message must be storable as it is. */
const expectStorable = (value: unknown) => expect(storableJson(value)).toEqual(value)

const httpCases = Object.entries<Outcome>(httpOutcomes).map(([key, expected]) => {
  const name = key as HttpMisbehaviourName // a key of the table above
  return { name, expected, ...httpMisbehaviours[name] }
})

describe('an http tool', () => {
  it.each(httpCases)('gives an agent a safe answer when, at $step, the service $description', async (one) => {
    http.misbehave(one.name)
    const [get] = await resolve({ type: 'http', integration_id: httpId })
    const result = await get?.run({ path: '/x' }, harness.call()).then(
      ({ output }) => output,
      (error: Error) => error,
    )
    if (one.expected === 'fails') {
      expect(result).toMatchObject({ name: 'ToolFailure' })
      expect(String(result)).not.toContain('token-of-the-service')
      expectStorable(String(result))
    } else {
      expect(result).toMatchObject(JSON.parse(JSON.stringify(one.expected)))
      expectStorable(JSON.parse(JSON.stringify(result)))
    }
  })

  it.each(['connectionReset', 'headCut', 'bodyShort'] as const)(
    'sends a change once and tells that it may have had its effect when the service ends as %s',
    async (name) => {
      http.misbehave(name)
      const [send] = await resolve({ type: 'http', integration_id: httpId, methods: ['POST'] })
      const sent = send?.run({ path: '/orders', method: 'POST', body: { count: 1 } }, harness.call())
      await expect(sent).rejects.toThrow(/may have had its effect: do not repeat it/)
      expect(http.requests).toBe(1)
    },
  )
})

const mcpCases = Object.entries<McpOutcome>(mcpOutcomes).map(([key, expected]) => {
  const name = key as McpMisbehaviourName // a key of the table above
  return { name, expected, ...mcpMisbehaviours[name] }
})

const stepOf = (method: string): McpStep | undefined =>
  ['initialize', 'server/discover'].includes(method)
    ? 'connect'
    : (['tools/list', 'tools/call'] as const).find((step) => step === method)

describe('a tool of an MCP server', () => {
  it.each(mcpCases)('gives an agent a safe answer when, at $step, the server $description', async (one) => {
    if (one.step === 'tools/call') await expectCall(one)
    else await expectList(one)
  })

  async function expectList({ step, act, expected }: (typeof mcpCases)[number]) {
    misbehaveAt(step, act)
    const tools = await resolve({ type: 'mcp_server', integration_id: mcpId })
    const names = tools.map(({ name }) => name)
    if (typeof expected === 'object' && 'names' in expected) {
      expect(names).toEqual(expected.names)
      expect(names.length).toBeLessThanOrEqual(50)
      for (const name of names) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/)
    } else {
      expect(names).toEqual([])
      expect(warnings).toMatchObject([{ code: 'tool_unavailable' }])
    }
    expectStorable(tools.map(({ description, inputSchema }) => [description, inputSchema]))
    expectStorable(warnings)
  }

  async function expectCall(one: (typeof mcpCases)[number]) {
    const { step, act, expected } = one
    const [tool] = await resolve({ type: 'mcp_server', integration_id: mcpId })
    const count = misbehaveAt(step, act)
    const result = await tool?.run({}, harness.call()).then(
      ({ output }) => output,
      (error: Error) => error,
    )
    expect(count()).toBe(1)
    if (typeof expected === 'object' && 'output' in expected) {
      expect(result).toEqual(expected.output)
      expectStorable(result)
    } else {
      expect(result).toMatchObject({ name: 'ToolFailure' })
      const answered = { callError: 'failed: bad', callRefused: 'failed: ', callUnauthorized: 'answered 401' }
      const words = Object.entries(answered).find(([name]) => name === one.name)?.[1]
      expect(String(result)).toContain(words ?? uncertainEffect)
      if (words !== undefined) expect(String(result)).not.toContain(uncertainEffect)
      expectStorable(String(result))
    }
  }

  /** @returns a function that counts the messages of the step */
  function misbehaveAt(step: McpStep, act: (typeof mcpCases)[number]['act']): () => number {
    let count = 0
    mcp.intercept = (response, message) => {
      if (stepOf(message.method) !== step) return false
      count += 1
      act(response, message)
      return true
    }
    return () => count
  }
})
