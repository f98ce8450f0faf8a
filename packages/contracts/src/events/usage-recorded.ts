import { z } from 'zod'
import { event } from '../core/event.ts'
import { meters } from '../core/quota/meter.ts'
import { text } from '../core/shape/shape.ts'
import { exampleIds } from './payload.ts'

/** Use of the platform, for billing. An event counts once, however often it arrives: its id identifies it. */
export const usageRecorded = event({
  kind: 'USAGE_RECORDED',
  producer: 'any',
  summary: 'Use of a meter',
  isSubscribable: false,
  data: z.object({
    meter: z.enum(meters),
    quantity: z.int().min(0),
    /** The resource that caused the use. */
    subject: text(200),
    dimensions: z.record(z.string(), z.string()),
  }),
  example: { meter: 'tokens_in', quantity: 1200, subject: exampleIds.agentRun, dimensions: { model: 'default' } },
})
