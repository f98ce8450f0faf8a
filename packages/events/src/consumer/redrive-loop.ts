import type { Database } from '@wp/database'
import { createLoop, type Log, type Loop } from '@wp/runtime'
import { checkEnvelope } from '../bus/envelope.ts'
import { claimRedriven } from './dead-letters.ts'
import type { EventProcessor } from './event-processor.ts'

/** Handles what `redrive` put back: straight from the database, so the stream may have forgotten it long ago. */
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
      // What is left comes up again when its claim runs out.
      if (signal.aborted) return 'idle'
      const checked = checkEnvelope(content)
      const meta = { sequence: sequence ?? 0, redelivered: true, subject, streamCreatedAt: null }
      if ('event' in checked) await processor.process(checked.event, meta)
      else await processor.deadLetter(eventId, content, meta, checked.defect)
    }
    return claimed.length === batchSize ? 'more' : 'idle'
  }

  return createLoop({ name: `redriven events of ${consumer}`, pass, pollMs, log })
}
