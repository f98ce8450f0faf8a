import type { Database } from '@wp/database'
import { createLoop, type Log, type Loop } from '@wp/runtime'
import { checkEnvelope } from '../bus/envelope.ts'
import { claimRedriven } from '../dead-letters/dead-letter-table.ts'
import type { EventProcessor } from './event-processor.ts'

/** Creates a worker that handles redriven events from the database, since the stream may no longer hold them. */
export function createRedriveLoop(options: {
  worker: Database['worker']
  consumer: string
  processor: EventProcessor
  pollMs: number
  log: Log
}): Loop {
  const { worker, consumer, processor, pollMs, log } = options
  const batchSize = 20

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const claimed = await claimRedriven(worker, consumer, batchSize)
    for (const { eventId, content, sequence, subject } of claimed) {
      // The remaining events are due again when their lease expires.
      if (signal.aborted) return 'idle'
      const checked = checkEnvelope(content)
      const metadata = { sequence: sequence ?? 0, redelivered: true, subject, streamCreatedAt: null }
      if ('event' in checked) await processor.process(checked.event, metadata)
      else await processor.deadLetter(eventId, content, metadata, checked.defect)
    }
    return claimed.length === batchSize ? 'more' : 'idle'
  }

  return createLoop({ name: `redriven events of ${consumer}`, pass, pollMs, log })
}
