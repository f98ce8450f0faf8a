import { z } from 'zod'
import { event } from '../core/event.ts'
import { meters } from '../core/quota/meter.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { exampleIds, payloadExample, payloadFields } from './payload.ts'

/** The parts of the included use that are reported when they are reached, in percent. */
export const usageThresholds = [80, 100] as const

/** Events about the metered use of a workspace, whose identifier they carry. */
export const usageEvents = {
  USAGE_LIMIT_REACHED: event({
    kind: 'USAGE_LIMIT_REACHED',
    producer: 'billing',
    summary: 'The use of a meter reached 80 % or 100 % of what the plan includes in a period',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('reached'),
      meter: z.enum(meters),
      percent: z.literal(usageThresholds).describe('Share of the included use that was reached, in percent'),
      limit: z.number().int().describe('Use that the plan includes in the period, in units of the meter'),
      period: z
        .object({
          start: timestamp().describe('Start of the period'),
          end: timestamp().describe('End of the period, not included'),
        })
        .describe('The billed period'),
    }),
    example: payloadExample(exampleIds.workspace, 'reached', {
      meter: 'forecast_runs',
      percent: 80,
      limit: 1000,
      period: { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
    }),
  }),
} as const

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
