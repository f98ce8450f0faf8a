import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'undici'

/** One request of the mix. */
export interface MixedRequest {
  service: string
  method: string
  path: string
  body?: unknown
}

/** The requests over one kind of connection. */
export interface RequestTally {
  requests: number
  /** Counts by service and error. */
  failures: Map<string, number>
}

interface TrafficOptions {
  /** Returns the gateways that accept new connections. */
  edges: () => readonly string[]
  requests: readonly MixedRequest[]
  /** Used in turn. */
  apiKeys: readonly string[]
  intervalMs: number
}

const persistentCount = 16

/**
 * Sends the requests in turn, each on a new connection and on a persistent one. Nothing is retried, so the tallies show
 * what a client behind a load balancer sees.
 */
export function startTraffic({ edges, requests, apiKeys, intervalMs }: TrafficOptions) {
  const tallies = { new: createTally(), persistent: createTally() }
  const persistent: (Client | undefined)[] = Array.from({ length: persistentCount })
  const inFlight = new Set<Promise<unknown>>()
  let count = 0
  let isStopped = false

  const send = (client: Client, request: MixedRequest, tally: RequestTally) =>
    sendRequest(client, request, apiKeys[count % apiKeys.length] ?? '', tally)

  async function sendOnNewConnection(edge: string, request: MixedRequest): Promise<void> {
    const client = new Client(edge)
    await send(client, request, tallies.new)
    await client.close()
  }

  async function sendOnPersistentConnection(edge: string, index: number, request: MixedRequest): Promise<void> {
    const client = persistent[index] ?? new Client(edge)
    persistent[index] = client
    if (await send(client, request, tallies.persistent)) return
    if (persistent[index] === client) persistent[index] = undefined
    // A failure may have closed the connection.
    if (!client.closed && !client.destroyed) await client.close()
  }

  function sendNext(): void {
    const readyEdges = edges()
    const edge = readyEdges[count % readyEdges.length]
    const request = requests[count % requests.length]
    count += 1
    if (edge === undefined || request === undefined) return
    // each connection carries requests to every service
    const index = Math.floor(count / requests.length) % persistentCount
    for (const sent of [sendOnNewConnection(edge, request), sendOnPersistentConnection(edge, index, request)]) {
      inFlight.add(sent)
      void sent.finally(() => inFlight.delete(sent))
    }
  }

  async function sendUntilStopped(): Promise<void> {
    while (!isStopped) {
      sendNext()
      await pause(intervalMs)
    }
    await Promise.all(inFlight)
    await Promise.all(persistent.map((client) => client?.close()))
  }

  const sending = sendUntilStopped()
  return {
    tallies,
    async stop() {
      isStopped = true
      await sending
    },
  }
}

/** @returns true if the connection can be used again */
async function sendRequest(
  client: Client,
  { service, method, path, body }: MixedRequest,
  apiKey: string,
  tally: RequestTally,
): Promise<boolean> {
  tally.requests += 1
  try {
    const response = await client.request({
      path,
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await response.body.dump()
    if (response.statusCode >= 300) addFailure(tally, `${service} ${response.statusCode}`)
    return response.headers.connection !== 'close'
  } catch (error) {
    addFailure(tally, `${service} ${error instanceof Error && 'code' in error ? error.code : error}`)
    return false
  }
}

const createTally = (): RequestTally => ({ requests: 0, failures: new Map() })

const addFailure = ({ failures }: RequestTally, failure: string) =>
  void failures.set(failure, (failures.get(failure) ?? 0) + 1)
