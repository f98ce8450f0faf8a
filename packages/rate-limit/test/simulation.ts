import { createGossip, type Gossip } from '../src/gossip/gossip.ts'
import type { SharedRateLimiter } from '../src/rate-limiter.ts'

/** An edge with a clock that may be wrong and a connection that may be slow, lossy or broken. */
export interface SimulatedEdge {
  limiter: SharedRateLimiter
  admitted: number
  rejected: number
  request(times?: number): void
  /** Loses the connection to the broker, and knows it. */
  disconnect(): void
  reconnect(): void
  /** Delivers nothing in either direction, without a disconnect at the edge. */
  setStalled(isStalled: boolean): void
  /** Stops without a message. */
  crash(): void
  /** Stops in order. */
  leave(): void
  peerCount(): number
}

/** Edges on a simulated network, driven by a clock of the test. */
export interface Simulation {
  /** Milliseconds since 1970 by the correct clock. */
  time(): number
  edges: SimulatedEdge[]
  addEdge(options?: { skewMs?: number }): SimulatedEdge
  /** Advances the clock; every edge publishes as its timers would make it. @param onTick called every 10 ms */
  advance(ms: number, onTick?: (elapsedMs: number) => void): void
  admitted(): number
}

interface SimulationOptions {
  key: string
  quota: number
  startAt: number
  /** Returns the id of the next edge. The order of the ids decides ties. */
  nextEdgeId: () => string
  /** Returns the delay of the next message. */
  delayMs: () => number
  /** Returns true if the next message with counts is lost. */
  isLost?: () => boolean
}

type Handler = (data: unknown, subject: string) => void

/** The connection of one edge to the simulated broker. */
interface Connection {
  handler: Handler
  isBroken: boolean
  isStalled: boolean
  inbox: { at: number; data: string }[]
  onConnect: () => void
}

interface Timers {
  gossip: Gossip
  phaseMs: number
}

const tickMs = 10
const stepEveryMs = 50
const heartbeatEveryMs = 1000

export function createSimulation(options: SimulationOptions): Simulation {
  const { key, quota, startAt, nextEdgeId } = options
  let time = startAt
  const edges: SimulatedEdge[] = []
  const running: Timers[] = []
  const connections: Connection[] = []

  function addEdge({ skewMs = 0 } = {}): SimulatedEdge {
    const connection = createConnection()
    connections.push(connection)
    const bus = createBus(connection, connections, () => time, options)
    const edgeId = nextEdgeId()
    const gossip = createGossip({
      bus,
      shard: 'test',
      edgeId,
      log: { warn: () => undefined },
      now: () => time + skewMs,
    })
    const timers = { gossip, phaseMs: (running.length * 17) % stepEveryMs }
    running.push(timers)
    const stop = () => {
      running.splice(running.indexOf(timers), 1)
      connections.splice(connections.indexOf(connection), 1)
    }
    const edge = createEdge(gossip, connection, stop, { key, quota })
    edges.push(edge)
    connection.onConnect()
    return edge
  }

  function deliverDue(): void {
    for (const connection of connections)
      while ((connection.inbox[0]?.at ?? Number.POSITIVE_INFINITY) <= time) {
        const message = connection.inbox.shift()
        if (message !== undefined) connection.handler(JSON.parse(message.data), 'limits.test')
      }
  }

  function advance(ms: number, onTick: (elapsedMs: number) => void = () => undefined): void {
    const until = time + ms
    for (const startedAt = time; time < until; ) {
      time += tickMs
      deliverDue()
      onTick(time - startedAt)
      for (const { gossip, phaseMs } of [...running]) {
        const clock = time - startAt + phaseMs - (phaseMs % tickMs)
        if (clock % stepEveryMs === 0) gossip.publishUpdates()
        if (clock % heartbeatEveryMs === 0) gossip.publishHeartbeat()
      }
    }
  }

  return {
    time: () => time,
    edges,
    addEdge,
    advance,
    admitted: () => edges.reduce((sum, edge) => sum + edge.admitted, 0),
  }
}

const createConnection = (): Connection => ({
  handler: () => undefined,
  isBroken: false,
  isStalled: false,
  inbox: [],
  onConnect: () => undefined,
})

/**
 * Creates the bus of one edge. Messages of all edges arrive in order at each connection, as the broker delivers them.
 */
function createBus(
  own: Connection,
  connections: readonly Connection[],
  now: () => number,
  { delayMs, isLost = () => false }: SimulationOptions,
) {
  return {
    get isConnected() {
      return !own.isBroken
    },
    publish(_: string, data?: unknown) {
      if (own.isBroken || own.isStalled) return
      const text = JSON.stringify(data)
      const isCounts = text.includes('"kind":"counts"')
      for (const { isBroken, isStalled, inbox } of connections) {
        if (isBroken || isStalled || (isCounts && isLost())) continue
        const at = Math.max(now() + delayMs(), inbox.at(-1)?.at ?? 0)
        inbox.push({ at, data: text })
      }
    },
    subscribe(_: string, handler: Handler) {
      own.handler = handler
      return { unsubscribe: () => undefined }
    },
    onConnect(listener: () => void) {
      own.onConnect = listener
      return () => undefined
    },
  }
}

function createEdge(
  gossip: Gossip,
  connection: Connection,
  stop: () => void,
  { key, quota }: { key: string; quota: number },
): SimulatedEdge {
  const limiter = gossip.createLimiter('requests', 10)
  let isStopped = false
  const end = () => {
    isStopped = true
    stop()
  }
  const edge: SimulatedEdge = {
    limiter,
    admitted: 0,
    rejected: 0,
    request(times = 1) {
      for (let count = 0; count < times && !isStopped; count += 1) {
        const [status] = limiter.take([{ name: 'credential', key, quota }])
        if (status?.isExceeded === false) edge.admitted += 1
        else edge.rejected += 1
      }
    },
    disconnect() {
      connection.isBroken = true
      connection.inbox.length = 0
    },
    reconnect() {
      connection.isBroken = false
      connection.onConnect()
    },
    setStalled(isStalled) {
      connection.isStalled = isStalled
    },
    crash: end,
    leave() {
      gossip.close()
      end()
    },
    peerCount: () => gossip.peerCount,
  }
  return edge
}
