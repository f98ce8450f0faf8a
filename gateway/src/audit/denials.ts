import { randomUUID } from 'node:crypto'
import { type Bus, publishEvent } from '@wp/events'
import type { Logger, Metrics } from '@wp/service'
import { type Denial, denialOf, type Refusal } from './denial.ts'
import { eventOf } from './event.ts'
import { createFloodGate } from './flood.ts'
import { createOutgoing } from './outgoing.ts'

/** Tells the audit log of what the edge did not let through. See docs/decisions/audit-chain.md for what may be lost. */
export interface Denials {
  /** Takes note of a refusal, where it is one the log shall know of. Never throws, never waits. */
  note(refusal: Refusal): void
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

const floodCheckMs = 1_000
const closingMs = 2_000

export function createDenials({ bus, cells, log, metrics, now }: Parts): Denials {
  const gate = createFloodGate(now)
  const ways = [bus, ...cells].map((to) => {
    const outgoing = createOutgoing({ publish: (event) => publishEvent(to, 'gateway', event), log, metrics, now })
    return { shard: to.shard, outgoing, forget: to.onReconnect(outgoing.again) }
  })
  const edge = randomUUID()
  let noted = 0

  function tell(denial: Denial, withheld?: number): void {
    const way = ways.find(({ shard }) => shard === (denial.shard || bus.shard))
    if (way === undefined) {
      log.error({ shard: denial.shard }, 'the audit log of a cell cannot be told of a denial: its broker is not known')
      metrics.count('edge_audit_dropped')
      return
    }
    noted += 1
    way.outgoing.add(eventOf(denial, now(), { edge, number: noted }, withheld))
  }

  function tellOfWithheld(all = false): void {
    for (const { denial, count } of gate.ended(all)) tell(denial, count)
  }

  const flooding = setInterval(tellOfWithheld, floodCheckMs).unref()
  return {
    note(refusal) {
      try {
        const denial = denialOf(refusal)
        if (denial !== undefined && gate.passes(denial)) tell(denial)
      } catch (error) {
        // That it cannot be told must not change what the caller is answered.
        log.error({ err: error, request_id: refusal.requestId }, 'a denial could not be noted')
      }
    },
    async close() {
      clearInterval(flooding)
      tellOfWithheld(true)
      await Promise.all(
        ways.map(({ forget, outgoing }) => {
          forget()
          return outgoing.close(closingMs)
        }),
      )
    },
  }
}
