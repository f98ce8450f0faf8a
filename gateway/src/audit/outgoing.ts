import type { DomainEvent } from '@wp/contracts'
import { backoffMs } from '@wp/events'
import type { Logger, Metrics } from '@wp/service'

/** Events on their way to the broker, in memory alone. */
export interface Outgoing {
  add(event: DomainEvent): void
  /** The broker is back: what it had acknowledged a while ago it may have lost. */
  again(): void
  /** Sends what is left, for at most so long. @returns how many were lost */
  close(deadlineMs: number): Promise<number>
}

interface Options {
  publish(event: DomainEvent): Promise<void>
  log: Pick<Logger, 'warn' | 'error'>
  metrics: Pick<Metrics, 'count' | 'gauge'>
  now(): number
  /** Events that may wait at most. */
  most?: number
}

/** What comes within this time is sent together, so this is how old what a kill takes can be. */
const gatherMs = 50
const batch = 200
const backoff = { firstMs: 50, maxMs: 5_000 }

/** The broker syncs to disk every two minutes by default; what it acknowledged is kept longer than that, like an outbox's. */
const keptMs = 600_000

/**
 * Publishes events soon after they are added, again and again until the broker has them. While it is away they wait; the
 * newest are dropped, and counted, when too many do.
 */
export function createOutgoing({ publish, log, metrics, now, most = 10_000 }: Options): Outgoing {
  let waiting: DomainEvent[] = []
  let underWay: DomainEvent[] = []
  let sent: { event: DomainEvent; at: number }[] = []
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isClosing = false
  let sending: Promise<void> | undefined

  function schedule(afterMs: number): void {
    if (isClosing) return
    timer ??= setTimeout(() => {
      timer = undefined
      void send()
    }, afterMs)
  }

  /** One at a time; whoever comes meanwhile is sent by the next. */
  function send(): Promise<void> {
    sending ??= sendWaiting().finally(() => {
      sending = undefined
      if (waiting.length > 0) schedule(failures === 0 ? gatherMs : backoffMs(failures, backoff, Math.random()))
    })
    return sending
  }

  async function sendWaiting(): Promise<void> {
    underWay = waiting.splice(0, batch)
    const results = await Promise.allSettled(underWay.map(publish))
    const refused = underWay.filter((_, index) => results[index]?.status === 'rejected')
    const acknowledged = underWay.filter((_, index) => results[index]?.status === 'fulfilled')
    waiting = [...refused, ...waiting]
    underWay = []
    keep(acknowledged)
    metrics.count('edge_audit_published', {}, acknowledged.length)
    metrics.gauge('edge_audit_waiting', waiting.length)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined && failures % 10 === 0)
      log.warn({ err: failed.reason, waiting: waiting.length }, 'denials cannot be told to the audit log yet')
    failures = failed === undefined ? 0 : failures + 1
  }

  function keep(events: readonly DomainEvent[]): void {
    const oldest = now() - keptMs
    sent = [...sent, ...events.map((event) => ({ event, at: now() }))].filter(({ at }) => at > oldest).slice(-most)
  }

  const left = () => waiting.length + underWay.length

  return {
    add(event) {
      if (left() >= most) {
        metrics.count('edge_audit_dropped')
        return
      }
      waiting.push(event)
      // While the broker is away the next try is due already.
      if (failures === 0) schedule(gatherMs)
    },
    again() {
      const oldest = now() - keptMs
      waiting = [...sent.filter(({ at }) => at > oldest).map(({ event }) => event), ...waiting]
      sent = []
      failures = 0
      clearTimeout(timer)
      timer = undefined
      if (waiting.length > 0) schedule(0)
    },
    async close(deadlineMs) {
      const deadline = performance.now() + deadlineMs
      isClosing = true
      clearTimeout(timer)
      while (left() > 0 && performance.now() < deadline) {
        await atMost(deadline - performance.now(), send())
        if (failures > 0) await pause(Math.min(gatherMs, deadline - performance.now()))
      }
      const lost = left()
      if (lost > 0) {
        metrics.count('edge_audit_dropped', {}, lost)
        log.error({ lost }, 'the edge ends, and the audit log was not told of all denials')
      }
      return lost
    },
  }
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, Math.max(0, ms))
  await Promise.race([work, over.promise])
  clearTimeout(timer)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms)))
