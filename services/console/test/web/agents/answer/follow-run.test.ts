import { describe, expect, test } from '@jest/globals'
import { ApiError } from '@wp/client/browser'
import { followRun } from '../../../../web/src/agents/answer/follow-run.ts'

interface SentRequest {
  path: string
  method: string
  headers: Record<string, string>
}

/** A server that answers each request with the next of its responses; an error breaks the connection. */
function scriptedServer(...responses: (Response | Error)[]) {
  const sent: SentRequest[] = []
  const waits: number[] = []
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    sent.push({ path, method: init.method ?? 'GET', headers: init.headers as Record<string, string> }) // as followRun passes them
    const response = responses.shift()
    if (response === undefined) throw new Error('unexpected request')
    if (response instanceof Error) throw response
    return response
  }
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
  }
  return { sent, waits, options: { workspaceId: 'ws_1', signal: new AbortController().signal, request, wait } }
}

const events = (...lines: string[]) => new Response(lines.map((line) => `${line}\n\n`).join(''))
const start = 'id: 1\ndata: {"type":"start","messageId":"run_1"}'
const delta = 'id: 2\ndata: {"type":"text-delta","id":"t","delta":"a"}'
const finish = 'id: 3\ndata: {"type":"finish"}'
const done = 'data: [DONE]'
const run = { agentId: 'agt_1', body: { input: 'Hello' } }
const types = (chunks: { type: string }[]) => chunks.map(({ type }) => type)

describe('followRun', () => {
  test('returns the events of a new run until its end', async () => {
    const { sent, options } = scriptedServer(events(start, delta, finish, done))
    expect(types(await Array.fromAsync(followRun(run, options)))).toEqual(['start', 'text-delta', 'finish'])
    expect(sent).toMatchObject([
      {
        path: '/console/api/v1/ai/agents/agt_1/run',
        method: 'POST',
        headers: { 'x-console': '1', 'x-workspace-key': 'ws_1' },
      },
    ])
  })

  test('continues after the last event when the connection is lost', async () => {
    const states: string[] = []
    const { sent, waits, options } = scriptedServer(
      events(start, delta),
      new TypeError('network'),
      new Response('{}', { status: 503 }),
      events(finish, done),
    )
    const onConnection = (state: string) => states.push(state)
    const chunks = await Array.fromAsync(followRun(run, { ...options, onConnection }))
    expect(types(chunks)).toEqual(['start', 'text-delta', 'finish'])
    expect(sent[3]).toMatchObject({ path: '/console/api/v1/ai/runs/run_1/events', headers: { 'last-event-id': '2' } })
    expect(states).toEqual(['open', 'lost', 'lost', 'lost', 'open'])
    expect(waits).toEqual([500, 1000, 2000])
  })

  test('does not start a run twice when the connection breaks before its first event', async () => {
    const { sent, options } = scriptedServer(events())
    await expect(Array.fromAsync(followRun(run, options))).rejects.toThrow('the connection was closed')
    expect(sent).toHaveLength(1)
  })

  test('reports a refused request', async () => {
    const problem = Response.json({ code: 'model_not_configured', detail: 'No model' }, { status: 409 })
    const { options } = scriptedServer(problem)
    await expect(Array.fromAsync(followRun(run, options))).rejects.toBeInstanceOf(ApiError)
  })

  test('gives up when the server stays unreachable', async () => {
    const { sent, options } = scriptedServer(
      events(start),
      ...Array.from({ length: 20 }, () => new TypeError('network')),
    )
    await expect(Array.fromAsync(followRun(run, options))).rejects.toThrow('network')
    expect(sent.length).toBeLessThan(12)
  })

  test('follows a run that was started before from its first event', async () => {
    const { sent, options } = scriptedServer(events(start, finish, done))
    await Array.fromAsync(followRun({ runId: 'run_1' }, options))
    expect(sent[0]).toMatchObject({ path: '/console/api/v1/ai/runs/run_1/events', method: 'GET' })
    expect(sent[0]?.headers).not.toHaveProperty('last-event-id')
  })
})
