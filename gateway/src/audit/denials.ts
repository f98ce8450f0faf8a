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
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

const floodCheckMs = 1_000
const closingMs = 2_000

export function createDenials({ bus, log, metrics, now }: Parts): Denials {
  const gate = createFloodGate(now)
  const outgoing = createOutgoing({ publish: (event) => publishEvent(bus, 'gateway', event), log, metrics, now })
  const edge = randomUUID()
  let noted = 0

  function tell(denial: Denial, withheld?: number): void {
    noted += 1
    outgoing.add(eventOf(denial, now(), { edge, number: noted }, withheld))
  }

  function tellOfWithheld(all = false): void {
    for (const { denial, count } of gate.ended(all)) tell(denial, count)
  }

  const flooding = setInterval(tellOfWithheld, floodCheckMs).unref()
  const forget = bus.onReconnect(outgoing.again)
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
      forget()
      await outgoing.close(closingMs)
    },
  }
}
