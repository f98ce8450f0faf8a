import { z } from 'zod'
import { event } from '../core/event.ts'
import { meters } from '../core/quota/meter.ts'
import { timestamp } from '../core/shape/shape.ts'
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
      percent: z.literal(usageThresholds),
      limit: z.number().int(),
      period: z.object({ start: timestamp(), end: timestamp() }),
    }),
    example: payloadExample(exampleIds.workspace, 'reached', {
      meter: 'forecast_runs',
      percent: 80,
      limit: 1000,
      period: { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
    }),
  }),
} as const
