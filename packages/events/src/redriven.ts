import type { Database, Log } from '@wp/database'
import { claimRedriven } from './dead-events.ts'
import { checkEnvelope } from './envelope.ts'
import type { Handling } from './handling.ts'
import { createLoop, type Loop } from './loop.ts'

/** Handles what `redrive` put back: straight from the database, so the stream may have forgotten it long ago. */
export function createRedriveLoop(options: {
  worker: Database['worker']
  consumer: string
  handling: Handling
  pollMs: number
  log: Log
}): Loop {
  const { worker, consumer, handling, pollMs, log } = options
  const batch = 20

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const claimed = await claimRedriven(worker, consumer, batch)
    for (const { eventId, content, sequence, subject } of claimed) {
      // What is left comes up again when its claim runs out.
      if (signal.aborted) return 'idle'
      const checked = checkEnvelope(content)
      const meta = { sequence: sequence ?? 0, redelivered: true, subject, streamCreatedAt: null }
      if ('event' in checked) await handling.settle(checked.event, meta)
      else await handling.bury(eventId, content, meta, checked.flaw)
    }
    return claimed.length === batch ? 'more' : 'idle'
  }

  return createLoop({ name: `redriven events of ${consumer}`, pass, pollMs, log })
}
