import { createGossip } from '../../src/limit/gossip.ts'
import type { SharedRateLimiter } from '../../src/limit/rate-limiter.ts'

/** One edge on a network of the test's own: with a clock that is wrong, and a line that is slow, lossy or cut. */
export interface SimulatedEdge {
  windows: SharedRateLimiter
  /** How often a request was admitted and refused. */
  admitted: number
  refused: number
  request(times?: number): void
  cut(): void
  /** Nothing comes or goes, and nobody says that the broker is away. */
  hang(isHanging: boolean): void
  mend(): void
  /** As a crash: it is not heard any more, and hears nothing. */
  crash(): void
  leave(): void
  others(): number
}

export interface World {
  /** Milliseconds since 1970 by the right clock. */
  time(): number
  edges: SimulatedEdge[]
  addEdge(options?: { skewMs?: number }): SimulatedEdge
  /** Lets time pass; every edge steps and beats as its timers would make it. @param each is called every 10 ms */
  pass(ms: number, each?: (elapsedMs: number) => void): void
  admitted(): number
}

interface WorldOptions {
  key: string
  quota: number
  startAt: number
  /** How long the next message is on its way. */
  delayMs: () => number
  /** Whether the next message of counts is lost. */
  isLost?: () => boolean
}

interface Line {
  handler: Handler
  isCut: boolean
  isHanging: boolean
  inbox: { at: number; data: string }[]
}

type Handler = (data: unknown, subject: string) => void

const tickMs = 10
const stepEveryMs = 50
const beatEveryMs = 1000

export function createWorld({ key, quota, startAt, delayMs, isLost = () => false }: WorldOptions): World {
  let time = startAt
  const edges: SimulatedEdge[] = []
  const running: { step(): void; beat(): void; phase: number }[] = []
  const lines: Line[] = []

  function addEdge({ skewMs = 0 } = {}): SimulatedEdge {
    const line: Line = { handler: () => undefined, isCut: false, isHanging: false, inbox: [] }
    let reconnected = () => {}
    lines.push(line)
    const bus = {
      get isConnected() {
        return !line.isCut
      },
      publish(_: string, data?: unknown) {
        if (line.isCut || line.isHanging) return
        const text = JSON.stringify(data)
        const isCounts = text.includes('"kind":"counts"')
        for (const other of lines) {
          if (other.isCut || other.isHanging || (isCounts && isLost())) continue
          // in order, as the broker delivers
          const at = Math.max(time + delayMs(), other.inbox.at(-1)?.at ?? 0)
          other.inbox.push({ at, data: text })
        }
      },
      subscribe(_: string, handler: Handler) {
        line.handler = handler
        return { unsubscribe: () => undefined }
      },
      onConnect(listener: () => void) {
        reconnected = listener
        return () => undefined
      },
    }
    const log = { warn: () => undefined }
    const exchange = createGossip({ bus, shard: 'test', log, now: () => time + skewMs })
    const windows = exchange.createLimiter('requests')
    const timers = {
      step: exchange.publishUpdates,
      beat: exchange.publishHeartbeat,
      phase: (running.length * 17) % stepEveryMs,
    }
    running.push(timers)
    let isGone = false
    const end = () => {
      isGone = true
      running.splice(running.indexOf(timers), 1)
      lines.splice(lines.indexOf(line), 1)
    }
    const edge: SimulatedEdge = {
      windows,
      admitted: 0,
      refused: 0,
      request(times = 1) {
        for (let count = 0; count < times && !isGone; count += 1) {
          const [standing] = windows.take([{ name: 'credential', key, quota }])
          if (standing?.isExceeded === false) edge.admitted += 1
          else edge.refused += 1
        }
      },
      hang(isHanging) {
        line.isHanging = isHanging
      },
      cut() {
        line.isCut = true
        line.inbox = []
      },
      mend() {
        line.isCut = false
        reconnected()
      },
      crash: end,
      leave() {
        exchange.close()
        end()
      },
      others: () => exchange.peerCount,
    }
    edges.push(edge)
    reconnected()
    return edge
  }

  function pass(ms: number, each: (elapsedMs: number) => void = () => undefined): void {
    const until = time + ms
    for (const startedAt = time; time < until; ) {
      time += tickMs
      for (const line of lines)
        while ((line.inbox[0]?.at ?? Number.POSITIVE_INFINITY) <= time) {
          const message = line.inbox.shift()
          if (message !== undefined) line.handler(JSON.parse(message.data), 'limits.test')
        }
      each(time - startedAt)
      for (const { step, beat, phase } of [...running]) {
        const clock = time - startAt + phase - (phase % tickMs)
        if (clock % stepEveryMs === 0) step()
        if (clock % beatEveryMs === 0) beat()
      }
    }
  }

  return {
    time: () => time,
    edges,
    addEdge,
    pass,
    admitted: () => edges.reduce((sum, edge) => sum + edge.admitted, 0),
  }
}
