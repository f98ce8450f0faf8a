import { backoffMs, type Metrics } from '@wp/runtime'
import type { DomainEvent } from '@wp/contracts'
import type { Logger } from '@wp/service'

/** Events on their way to the broker, in memory alone. */
export interface DenialPublisher {
  add(event: DomainEvent): void
  /** The broker is back: what it had acknowledged a while ago it may have lost. */
  republishRecent(): void
  /** Sends what is left, for at most so long. @returns how many were lost */
  close(deadlineMs: number): Promise<number>
}

interface Options {
  publish(event: DomainEvent): Promise<void>
  log: Pick<Logger, 'warn' | 'error'>
  metrics: Pick<Metrics, 'count' | 'gauge'>
  now(): number
  /** Events that may wait at most. */
  maxWaiting?: number
}

/** What comes within this time is sent together, so this is how old what a kill takes can be. */
const batchDelayMs = 50
const batchSize = 200
const backoff = { firstMs: 50, maxMs: 5_000 }

/** The broker syncs to disk every two minutes by default; what it acknowledged is kept longer than that, like an outbox's. */
const republishWindowMs = 600_000

/**
 * Publishes events soon after they are added, again and again until the broker has them. While it is away they wait; the
 * newest are dropped, and counted, when too many do.
 */
export function createDenialPublisher({
  publish,
  log,
  metrics,
  now,
  maxWaiting: most = 10_000,
}: Options): DenialPublisher {
  let waiting: DomainEvent[] = []
  let inFlight: DomainEvent[] = []
  let published: { event: DomainEvent; at: number }[] = []
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
      if (waiting.length > 0) schedule(failures === 0 ? batchDelayMs : backoffMs(failures, backoff, Math.random()))
    })
    return sending
  }

  async function sendWaiting(): Promise<void> {
    inFlight = waiting.splice(0, batchSize)
    const results = await Promise.allSettled(inFlight.map(publish))
    const refused = inFlight.filter((_, index) => results[index]?.status === 'rejected')
    const acknowledged = inFlight.filter((_, index) => results[index]?.status === 'fulfilled')
    waiting = [...refused, ...waiting]
    inFlight = []
    remember(acknowledged)
    metrics.count('edge_audit_published', {}, acknowledged.length)
    metrics.gauge('edge_audit_waiting', waiting.length)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined && failures % 10 === 0)
      log.warn({ err: failed.reason, waiting: waiting.length }, 'denials cannot be told to the audit log yet')
    failures = failed === undefined ? 0 : failures + 1
  }

  function remember(events: readonly DomainEvent[]): void {
    const oldest = now() - republishWindowMs
    published = [...published, ...events.map((event) => ({ event, at: now() }))]
      .filter(({ at }) => at > oldest)
      .slice(-most)
  }

  const unsent = () => waiting.length + inFlight.length

  return {
    add(event) {
      if (unsent() >= most) {
        metrics.count('edge_audit_dropped')
        return
      }
      waiting.push(event)
      // While the broker is away the next try is due already.
      if (failures === 0) schedule(batchDelayMs)
    },
    republishRecent() {
      const oldest = now() - republishWindowMs
      waiting = [...published.filter(({ at }) => at > oldest).map(({ event }) => event), ...waiting]
      published = []
      failures = 0
      clearTimeout(timer)
      timer = undefined
      if (waiting.length > 0) schedule(0)
    },
    async close(deadlineMs) {
      const deadline = performance.now() + deadlineMs
      isClosing = true
      clearTimeout(timer)
      while (unsent() > 0 && performance.now() < deadline) {
        await atMost(deadline - performance.now(), send())
        if (failures > 0) await pause(Math.min(batchDelayMs, deadline - performance.now()))
      }
      const lost = unsent()
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
