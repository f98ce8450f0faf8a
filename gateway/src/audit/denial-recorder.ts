import { type Bus, publishEvent } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import { typeid } from 'typeid-js'
import { createEventPublisher } from '../publish/event-publisher.ts'
import { type Denial, type DenialContext, denialOf } from './denial.ts'
import { denialEvent } from './denial-event.ts'
import { createDenialThrottle, type WithheldDenials } from './denial-throttle.ts'

/** Publishes denials for the audit log. docs/decisions/audit-chain.md states which can be lost. */
export interface DenialRecorder {
  /** Records a rejected request if it is a denial of a known caller. Never throws and does not wait. */
  record(context: DenialContext): void
  /** Publishes the remaining denials, for two seconds at most. */
  close(): Promise<void>
}

interface DenialRecorderOptions {
  bus: Bus
  /** Buses of the other cells: a denial is published in the cell of its workspace. */
  cells: readonly Bus[]
  log: Log
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

const throttleCheckMs = 1_000
const closeTimeoutMs = 2_000

export function createDenialRecorder({ bus, cells, log, metrics, now }: DenialRecorderOptions): DenialRecorder {
  const throttle = createDenialThrottle(now)
  const publishers = [bus, ...cells].map((cell) => createCellPublisher(cell, { log, metrics, now }))

  function publish(denial: Denial, withheld?: WithheldDenials): void {
    const target = publishers.find(({ shard }) => shard === (denial.shard || bus.shard))
    if (target === undefined) {
      log.error({ event: 'denial.dropped', shard: denial.shard }, 'denial dropped: no broker for the cell')
      metrics.count('edge_audit_dropped')
      return
    }
    target.publisher.add(denialEvent(denial, { id: typeid('evt').toString(), occurredAt: now(), withheld }))
  }

  function publishWithheld(all: boolean): void {
    for (const withheld of throttle.takeWithheld(all)) publish(withheld.denial, withheld)
  }

  const throttleTimer = setInterval(() => publishWithheld(false), throttleCheckMs).unref()
  return {
    record(context) {
      try {
        const denial = denialOf(context)
        if (denial !== undefined && throttle.allows(denial)) publish(denial)
      } catch (error) {
        // must not change the response
        const { requestId } = context
        log.error({ event: 'denial.record_failed', err: error, request_id: requestId }, 'failed to record a denial')
      }
    },
    async close() {
      clearInterval(throttleTimer)
      publishWithheld(true)
      await Promise.all(publishers.map(({ close }) => close()))
    },
  }
}

function createCellPublisher(cell: Bus, options: Pick<DenialRecorderOptions, 'log' | 'metrics' | 'now'>) {
  const publisher = createEventPublisher({
    noun: 'denial',
    metric: 'edge_audit',
    publish: (event) => publishEvent(cell, 'gateway', event),
    ...options,
  })
  const removeListener = cell.onConnect(() => publisher.republishRecent())
  return {
    shard: cell.shard,
    publisher,
    close() {
      removeListener()
      return publisher.close(closeTimeoutMs)
    },
  }
}
