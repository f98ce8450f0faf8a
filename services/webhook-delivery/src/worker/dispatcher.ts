import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { createLoop } from '@wp/events'
import type { Worker } from '@wp/service'
import type { Context } from '../context.ts'
import { roomFor } from '../delivery/room.ts'
import { settle } from '../delivery/settle.ts'
import { judge } from '../delivery/verdict.ts'
import { type Claimed, claimDue, untilReadyMs } from '../store/claim.ts'
import { deliveryQueue } from '../store/enqueue.ts'
import { recordAttempts } from '../store/record.ts'
import { disableGone } from '../subscriptions/disable.ts'
import { attemptDelivery, type Exchange } from './attempt.ts'
import { createRecorder } from './recorder.ts'

/** A ready endpoint that could not be claimed just now is looked at again after this. */
const shortestPauseMs = 20
const pollMs = 1_000

/** What one claim takes at most: enough to be worth its transaction, and the first may have ended when the next comes. */
const atOnce = 200

/** With so many under way a claim waits a moment for ends to gather; nobody idle waits for it. */
const manyUnderWay = 64
const gatheringMs = 5

/** Attempts begun in a row, before answers are looked at. */
const step = 16

/** Others who have to see to what follows from an attempt. */
interface Wakes {
  conclusions(): void
  turns(): void
}

/** Claims what is due, sends it, writes down how it went. Any number of them share the work. */
export function createDispatcher(context: Context, wake: Wakes): Worker {
  const { database, bus, log, metrics, now, random, settings } = context
  const { concurrency, leaseSeconds, retrySchedule, holdSchedule } = settings
  const loop = createLoop({ name: 'delivery of webhooks', pass, pollMs, log })
  const underWay = new Map<Promise<void>, Claimed>()
  const stopping = new AbortController()
  const recorder = createRecorder({
    async write(batch) {
      for (const { claimed, verdict } of batch)
        if (verdict.outcome === 'failed' && verdict.follow === 'disable') await disableGone(context, claimed)
      const { written, owing, mustWait } = await recordAttempts(database.worker, batch, holdSchedule)
      if (owing) wake.conclusions()
      if (mustWait) wake.turns()
      return written
    },
    signal: stopping.signal,
    log,
  })
  let forgetWake = () => {}
  let alarm: NodeJS.Timeout | undefined

  async function pass(): Promise<'more' | 'idle'> {
    clearTimeout(alarm)
    if (underWay.size >= manyUnderWay) await pause(gatheringMs)
    const free = Math.min(concurrency - underWay.size, atOnce)
    // The end of an attempt wakes.
    if (free <= 0) return 'idle'
    const room = roomFor({ free, concurrency, suspects: countSuspects() })
    const claimed = await claimDue(database.worker, { ...room, leaseToken: randomUUID(), leaseSeconds })
    await beginAll(claimed)
    if (claimed.length > 0) return 'more'
    if (room.suspects) await setAlarm()
    return 'idle'
  }

  const countSuspects = () => [...underWay.values()].filter((claimed) => claimed.isSuspect).length

  /** For a retry that is due before the poll would find it. */
  async function setAlarm(): Promise<void> {
    const ms = await untilReadyMs(database.worker)
    if (ms !== undefined && ms < pollMs) alarm = setTimeout(loop.wake, Math.max(ms, shortestPauseMs))
  }

  /** In small steps: what has been answered meanwhile gives its connection to the next. */
  async function beginAll(claimed: readonly Claimed[]): Promise<void> {
    for (const [index, delivery] of claimed.entries()) {
      if (index > 0 && index % step === 0) await setImmediate()
      begin(delivery)
    }
  }

  function begin(claimed: Claimed): void {
    const work = deliver(claimed)
      .catch((error: unknown) => log.error({ err: error, request_id: claimed.requestId }, 'a delivery went wrong'))
      .finally(() => {
        underWay.delete(work)
        metrics.gauge('webhook_attempts_in_flight', underWay.size)
        loop.wake()
      })
    underWay.set(work, claimed)
    metrics.gauge('webhook_attempts_in_flight', underWay.size)
  }

  async function deliver(claimed: Claimed): Promise<void> {
    const exchange = await attemptDelivery(context, claimed)
    // We gave it up ourselves, at shutdown: the lease will end.
    if (exchange.end.errorKind === 'aborted') return
    const nowMs = now()
    const verdict = judge(exchange.end, nowMs)
    const progress = { retriesUsed: claimed.retriesUsed, throttledAtMs: claimed.throttledAt?.getTime() ?? null }
    const settled = settle(progress, verdict, { schedule: retrySchedule, nowMs, random: random() })
    measure(claimed, exchange, verdict.outcome)
    await recorder.record({ claimed, verdict, settled, attempt: exchange.attempt })
  }

  function measure(claimed: Claimed, { attempt }: Exchange, outcome: string): void {
    metrics.count('webhook_attempts_total', { outcome, error_kind: attempt.errorKind ?? 'none' })
    if (claimed.number > 1 || claimed.origin !== 'event') return
    const { dns_ms, connect_ms, tls_ms } = attempt.timings
    const hitMs = attempt.startedAt.getTime() + (dns_ms ?? 0) + (connect_ms ?? 0) + (tls_ms ?? 0)
    metrics.observe('webhook_event_to_hit_seconds', Math.max(0, hitMs - claimed.occurredAt.getTime()) / 1000)
  }

  return {
    name: loop.name,
    async start() {
      forgetWake = bus.onWake('webhook-delivery', deliveryQueue, loop.wake)
      await loop.start()
    },
    async stop() {
      forgetWake()
      stopping.abort()
      await loop.stop()
      clearTimeout(alarm)
      await Promise.all(underWay.keys())
    },
  }
}
