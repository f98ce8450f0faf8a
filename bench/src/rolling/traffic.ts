import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'undici'

/** One request of the mix. */
export interface MixedRequest {
  service: string
  method: string
  path: string
  body?: unknown
}

/** What became of the requests of one kind of connection. */
export interface RequestTally {
  requests: number
  /** By what went wrong. */
  failures: Map<string, number>
}

interface Options {
  /** Edges that say they are ready; asked before each new connection. */
  edges: () => readonly string[]
  asked: readonly MixedRequest[]
  /** In turn, so that no limit is met. */
  keys: readonly string[]
  everyMs: number
}

/**
 * Sends requests all the time, each once on a connection of its own and once on one that is kept. Nothing is tried
 * again: what a balancer's client would see is counted.
 */
export function startTraffic({ edges, asked, keys, everyMs }: Options) {
  const tallies = { 'new connections': newTally(), 'kept connections': newTally() }
  const kept: (Client | undefined)[] = Array.from({ length: keptConnections })
  let count = 0
  let stopped = false
  const inFlight = new Set<Promise<unknown>>()

  /** @returns whether the connection may be used again */
  async function send(
    tally: RequestTally,
    client: Client,
    { service, method, path, body }: MixedRequest,
  ): Promise<boolean> {
    tally.requests += 1
    try {
      const answer = await client.request({
        path,
        method,
        headers: { 'x-api-key': keys[count % keys.length] ?? '', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await answer.body.dump()
      if (answer.statusCode >= 300) fail(tally, `${service} ${answer.statusCode}`)
      return answer.headers.connection !== 'close'
    } catch (error) {
      fail(tally, `${service} ${error instanceof Error && 'code' in error ? error.code : error}`)
      return false
    }
  }

  async function sendAlone(edge: string, what: MixedRequest): Promise<void> {
    const client = new Client(edge)
    await send(tallies['new connections'], client, what)
    await client.close()
  }

  /** On the same connection until the edge says that it was the last request. */
  async function sendKept(edge: string, place: number, what: MixedRequest): Promise<void> {
    const client = kept[place] ?? new Client(edge)
    kept[place] = client
    if (await send(tallies['kept connections'], client, what)) return
    if (kept[place] === client) kept[place] = undefined
    // What failed on it may have ended it.
    if (!client.closed && !client.destroyed) await client.close()
  }

  function tick(): void {
    const ready = edges()
    const edge = ready[count % ready.length]
    const what = asked[count % asked.length]
    count += 1
    if (edge === undefined || what === undefined) return
    // so that every connection sees every service
    const place = Math.floor(count / asked.length) % keptConnections
    for (const work of [sendAlone(edge, what), sendKept(edge, place, what)]) {
      inFlight.add(work)
      void work.finally(() => inFlight.delete(work))
    }
  }

  const running = (async () => {
    while (!stopped) {
      tick()
      await pause(everyMs)
    }
    await Promise.all(inFlight)
    await Promise.all(kept.map((client) => client?.close()))
  })()

  return {
    tallies,
    async stop() {
      stopped = true
      await running
    },
  }
}

const keptConnections = 16

const newTally = (): RequestTally => ({ requests: 0, failures: new Map() })

const fail = ({ failures }: RequestTally, what: string) => void failures.set(what, (failures.get(what) ?? 0) + 1)
