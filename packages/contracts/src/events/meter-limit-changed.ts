import { z } from 'zod'
import { event } from '../core/event.ts'
import { meters } from '../core/quota/meter.ts'
import { timestamp } from '../core/shape/shape.ts'

/**
 * The included use of a meter is exhausted, or no longer is. Services that refuse further use store it; it lifts itself
 * at the end of the period.
 */
export const meterLimitChanged = event({
  kind: 'METER_LIMIT_CHANGED',
  producer: 'billing',
  summary: 'Further use of a meter is refused, or allowed again',
  isSubscribable: false,
  data: z.object({
    meter: z.enum(meters),
    exhausted: z.boolean(),
    period_end: timestamp(),
    /** Increases with each event of a workspace and meter; an event with a lower version is out of date. */
    version: z.int().min(1),
  }),
  example: { meter: 'forecast_runs', exhausted: true, period_end: '2026-02-01T00:00:00.000Z', version: 1 },
})
