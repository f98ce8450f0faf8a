import { describe, expect, test } from '@jest/globals'
import { ApiError } from '@wp/client/browser'
import { type FollowEventsOptions, followEvents, waitFor } from '../../../web/src/api/follow-events.ts'

/** A server that answers each request with the next of its responses, then aborts; an error breaks the connection. */
function scriptedServer(...responses: (Response | Error)[]) {
  const sent: Record<string, string>[] = []
  const paths: string[] = []
  const waits: number[] = []
  const states: string[] = []
  const controller = new AbortController()
  const options: FollowEventsOptions = {
    workspaceId: 'ws_1',
    signal: controller.signal,
    onConnection: (state) => states.push(state),
    random: () => 1,
    async request(path, init) {
      paths.push(path)
      sent.push(init.headers as Record<string, string>) // as followEvents passes them
      const response = responses.shift()
      if (response === undefined) {
        controller.abort()
        throw controller.signal.reason
      }
      if (response instanceof Error) throw response
      return response
    },
    async wait(milliseconds) {
      waits.push(milliseconds)
    },
  }
  return { sent, paths, waits, states, options }
}

const events = (...lines: string[]) => new Response(lines.map((line) => `${line}\n\n`).join(''))

/** Collects events until the stream throws, and returns both. */
async function collect(options: FollowEventsOptions) {
  const data: string[] = []
  try {
    for await (const event of followEvents('/v1/things/stream', options)) data.push(event.data)
  } catch (error) {
    return { data, error }
  }
  throw new Error('the stream ended')
}

describe('followEvents', () => {
  test('continues after the last event when a connection ends', async () => {
    const { sent, paths, states, options } = scriptedServer(
      events('id: 1\ndata: a', 'id: 2\ndata: b', 'data: without id'),
      events(': keep-alive'),
      events('id: 3\ndata: c'),
    )
    const { data, error } = await collect(options)
    expect(data).toEqual(['a', 'b', 'without id', 'c'])
    expect(error).toBe(options.signal.reason)
    expect(new Set(paths)).toEqual(new Set(['/console/api/v1/things/stream']))
    expect(sent[0]).toEqual({ 'x-console': '1', 'x-workspace-key': 'ws_1', accept: 'text/event-stream' })
    expect(sent.slice(1).map((headers) => headers['last-event-id'])).toEqual(['2', '2', '3'])
    expect(states).toEqual(['open', 'lost', 'open', 'lost', 'open', 'lost'])
  })

  test('pauses longer after every failure in a row, up to a limit', async () => {
    const failures = Array.from({ length: 7 }, (_, index) =>
      index % 2 === 0 ? new TypeError('network') : new Response('{}', { status: 503 }),
    )
    const { waits, options } = scriptedServer(...failures, events('data: a'), new TypeError('network'))
    expect((await collect(options)).data).toEqual(['a'])
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000, 2_000])
  })

  test('shortens a pause by up to a half at random', async () => {
    const { waits, options } = scriptedServer(new TypeError('network'))
    await collect({ ...options, random: () => 0 })
    expect(waits).toEqual([500])
  })

  test('ends with the error when the stream is refused', async () => {
    const { waits, options } = scriptedServer(new Response('{"code":"missing_scope"}', { status: 403 }))
    const { error } = await collect(options)
    expect(error).toBeInstanceOf(ApiError)
    expect(waits).toEqual([])
  })

  test('a pause ends when the signal is aborted', async () => {
    const controller = new AbortController()
    const pause = waitFor(1_000_000, controller.signal)
    controller.abort(new Error('left the page'))
    await expect(pause).rejects.toThrow('left the page')
    await expect(waitFor(1_000_000, controller.signal)).rejects.toThrow('left the page')
  })
})
