import { randomUUID } from 'node:crypto'
import { type Bus, publishEvent } from '@wp/events'
import type { Logger, Metrics } from '@wp/service'
import { type Denial, type DenialContext, denialOf } from './denial.ts'
import { denialEvent } from './denial-event.ts'
import { createDenialPublisher } from './denial-publisher.ts'
import { createDenialThrottle } from './denial-throttle.ts'

/** Tells the audit log of what the edge did not let through. See docs/decisions/audit-chain.md for what may be lost. */
export interface DenialRecorder {
  /** Takes note of a refusal, where it is one the log shall know of. Never throws, never waits. */
  record(refusal: DenialContext): void
  /** Sends what is left, for a short while. */
  close(): Promise<void>
}

interface Parts {
  bus: Bus
  /** Brokers of the other cells: what a workspace of theirs shall know is told there. */
  cells: readonly Bus[]
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

const throttleCheckMs = 1_000
const closeTimeoutMs = 2_000

export function createDenialRecorder({ bus, cells, log, metrics, now }: Parts): DenialRecorder {
  const throttle = createDenialThrottle(now)
  const cellPublishers = [bus, ...cells].map((to) => {
    const outgoing = createDenialPublisher({
      publish: (event) => publishEvent(to, 'gateway', event),
      log,
      metrics,
      now,
    })
    return { shard: to.shard, outgoing, forget: to.onConnect(outgoing.republishRecent) }
  })
  const edgeId = randomUUID()
  let recorded = 0

  function publish(denial: Denial, withheld?: number): void {
    const way = cellPublishers.find(({ shard }) => shard === (denial.shard || bus.shard))
    if (way === undefined) {
      log.error({ shard: denial.shard }, 'the audit log of a cell cannot be told of a denial: its broker is not known')
      metrics.count('edge_audit_dropped')
      return
    }
    recorded += 1
    way.outgoing.add(denialEvent(denial, now(), { edge: edgeId, number: recorded }, withheld))
  }

  function publishWithheld(all = false): void {
    for (const { denial, count } of throttle.takeWithheld(all)) publish(denial, count)
  }

  const flooding = setInterval(publishWithheld, throttleCheckMs).unref()
  return {
    record(refusal) {
      try {
        const denial = denialOf(refusal)
        if (denial !== undefined && throttle.allows(denial)) publish(denial)
      } catch (error) {
        // That it cannot be told must not change what the caller is answered.
        log.error({ err: error, request_id: refusal.requestId }, 'a denial could not be noted')
      }
    },
    async close() {
      clearInterval(flooding)
      publishWithheld(true)
      await Promise.all(
        cellPublishers.map(({ forget, outgoing }) => {
          forget()
          return outgoing.close(closeTimeoutMs)
        }),
      )
    },
  }
}
