import { setImmediate } from 'node:timers/promises'
import type { Metrics } from '@wp/runtime'
import type { Logger } from '@wp/service'
import type { ClaimedDelivery } from '../store/deliveries/claim-rows.ts'

/** Attempts started in a row before the event loop handles responses, which return connections for the next ones. */
const startBatchSize = 16

interface Options {
  /** Makes an attempt and records its result. */
  deliver(claimed: ClaimedDelivery): Promise<void>
  /** Called when an attempt has ended and its slot is free. */
  onEnded(): void
  log: Logger
  metrics: Metrics
}

/** The attempts of a process, from their claim until their results are recorded. */
export interface InFlightAttempts {
  readonly size: number
  deliveries(): ClaimedDelivery[]
  /** Returns the deliveries claimed at least `ms` milliseconds ago. */
  claimedBefore(ms: number): ClaimedDelivery[]
  /**
   * Starts the attempts of claimed deliveries. Resolves when the last has started.
   * @param claimedAtMs `performance.now()` before the claim
   */
  start(claimed: readonly ClaimedDelivery[], claimedAtMs: number): Promise<void>
  /** Resolves when the attempts now in flight have ended. */
  untilEnded(): Promise<void>
}

export function createInFlightAttempts({ deliver, onEnded, log, metrics }: Options): InFlightAttempts {
  const attempts = new Map<ClaimedDelivery, { claimedAtMs: number; work?: Promise<void> }>()
  const updateGauge = () => metrics.gauge('webhook_attempts_in_flight', attempts.size)

  function startOne(claimed: ClaimedDelivery): Promise<void> {
    return deliver(claimed)
      .catch((error: unknown) => {
        log.error(
          { event: 'attempt.failed', err: error, request_id: claimed.requestId },
          'failed to make or record an attempt',
        )
      })
      .finally(() => {
        attempts.delete(claimed)
        updateGauge()
        onEnded()
      })
  }

  return {
    get size() {
      return attempts.size
    },
    deliveries: () => [...attempts.keys()],
    claimedBefore(ms) {
      const limitMs = performance.now() - ms
      return [...attempts].filter(([, { claimedAtMs }]) => claimedAtMs <= limitMs).map(([claimed]) => claimed)
    },
    async start(claimed, claimedAtMs) {
      for (const delivery of claimed) attempts.set(delivery, { claimedAtMs })
      updateGauge()
      for (const [index, delivery] of claimed.entries()) {
        if (index > 0 && index % startBatchSize === 0) await setImmediate()
        attempts.set(delivery, { claimedAtMs, work: startOne(delivery) })
      }
    },
    async untilEnded() {
      await Promise.all([...attempts.values()].map(({ work }) => work))
    },
  }
}
