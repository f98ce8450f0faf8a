import { once } from 'node:events'
import { Agent, type IncomingMessage, request as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Results of clients that do not retry. An event stream counts as completed if the edge ended it between two events
 * with a retry field.
 */
export interface Traffic {
  /** Number of correct responses by kind. */
  completed: Map<string, number>
  failures: string[]
  /** Returns the local ports of the requests of a kind in flight. */
  inFlight(kind: string): (number | undefined)[]
  /** Stops every client after its current request. */
  finish(): Promise<void>
}

interface Options {
  url: string
  /** API keys, used in turn to stay below their rate limits. */
  keys: readonly string[]
  /** Duration of a slow request or upload. */
  slowMs: number
}

interface TrafficRequest {
  kind: string
  path: string
  agent: Agent
  /** Number of pieces of the body, sent evenly over `slowMs`. */
  pieces?: number
}

const pieceBytes = 20_000

/** Starts concurrent clients: slow requests, uploads, short requests on reused and new connections, event streams. */
export function startTraffic({ url, keys, slowMs }: Options): Traffic {
  let nextKeyIndex = 0
  const nextKey = () => keys[nextKeyIndex++ % keys.length] ?? ''

  const answered = new Map<string, number>()
  const failures: string[] = []
  const open = new Map<object, { kind: string; port: () => number | undefined }>()
  let isEnding = false

  async function sendRequest({ kind, path, agent, pieces = 0 }: TrafficRequest): Promise<string> {
    const headers = { 'x-api-key': nextKey(), ...(pieces > 0 ? { 'content-type': 'text/csv' } : {}) }
    const request = send(url + path, { method: pieces > 0 ? 'POST' : 'GET', agent, headers })
    const answer = once(request, 'response')
    answer.catch(() => undefined) // awaited below, after the body is sent
    open.set(request, { kind, port: () => request.socket?.localPort })
    try {
      for (let piece = 0; piece < pieces && !request.destroyed; piece += 1) {
        request.write(Buffer.alloc(pieceBytes, 'x'))
        await pause(slowMs / pieces)
      }
      request.end()
      const [response]: IncomingMessage[] = await answer
      const text = await read(response)
      check(response?.statusCode === 200, `${response?.statusCode} ${text}`)
      return text
    } finally {
      open.delete(request)
    }
  }

  const count = (kind: string) => answered.set(kind, (answered.get(kind) ?? 0) + 1)

  async function repeatedly(kind: string, act: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!isEnding) {
      try {
        await act()
        if (kind !== 'events') count(kind)
      } catch (error) {
        failures.push(`${kind}: ${error instanceof Error ? error.message : error}`)
      }
      await pause(Math.random() * pauseMs)
    }
  }

  /** Reads an event stream until the edge ends it. */
  async function events(agent: Agent) {
    const headers = { 'x-api-key': nextKey(), accept: 'text/event-stream' }
    const request = send(`${url}/v1/data/sources?events=60`, { agent, headers }).end()
    const stop = setInterval(() => isEnding && request.destroy(), 20)
    open.set(request, { kind: 'events', port: () => request.socket?.localPort })
    try {
      const [response]: IncomingMessage[] = await once(request, 'response')
      const blocks = (await read(response)).split('\n\n')
      check(blocks.pop() === '' && /^retry: \d+$/.test(blocks.pop() ?? ''), 'a stream ends with a retry field')
      for (const [index, block] of blocks.entries())
        check(block === `id: ${index + 1}\ndata: {"number":${index + 1}}`, `an event is complete: ${block}`)
      count('events')
    } catch (error) {
      if (!isEnding) throw error
    } finally {
      clearInterval(stop)
      open.delete(request)
    }
  }

  const simple = (kind: string, path: string, pauseMs: number, agent: Agent) =>
    repeatedly(kind, async () => void (await sendRequest({ kind, path, agent })), pauseMs)
  const several = (count: number, make: () => Promise<void>) => Array.from({ length: count }, make)
  const slow = `/v1/data/sources?delay=${slowMs}`

  const clients = [
    ...several(6, () => {
      const agent = keepAlive()
      return repeatedly('events', () => events(agent), 1)
    }),
    ...several(6, () => simple('slow', slow, 1, keepAlive())),
    ...several(6, () => {
      const agent = keepAlive()
      return repeatedly('upload', () => upload(agent), 1)
    }),
    ...several(6, () => simple('kept', '/v1/data/health', 20, keepAlive())),
    ...several(2, () => simple('seldom', '/v1/data/health', 900, keepAlive())),
    ...several(3, () => simple('fresh', '/v1/data/health', 5, new Agent({ keepAlive: false }))),
  ]

  async function upload(agent: Agent) {
    const pieces = 10
    const text = await sendRequest({ kind: 'upload', path: '/v1/data/sources/src_1/records', agent, pieces })
    check(JSON.parse(text).data.received === pieces * pieceBytes, `all of the upload arrives: ${text}`)
  }

  return {
    completed: answered,
    failures,
    inFlight: (kind) => [...open.values()].filter((one) => one.kind === kind).map(({ port }) => port()),
    async finish() {
      isEnding = true
      await Promise.all(clients)
    },
  }
}

const keepAlive = () => new Agent({ keepAlive: true, maxSockets: 1 })

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what)
}

/** @throws if the response is aborted */
async function read(response: IncomingMessage | undefined): Promise<string> {
  let text = ''
  for await (const chunk of response ?? []) text += String(chunk)
  return text
}
