import { z } from 'zod'
import { event } from '../core/event.ts'
import type { SignerName } from '../core/services.ts'
import { text } from '../core/shape.ts'
import { exampleIds } from './payload.ts'

/** The meters of usage. */
export const meters = [
  'api_calls',
  'agent_runs',
  'tokens_in',
  'tokens_out',
  'syncs',
  'records',
  'forecast_runs',
  'deliveries',
] as const
export type Meter = (typeof meters)[number]

/** The producer of the usage events of each meter; those of any other are rejected. */
export const meterProducers = {
  api_calls: 'gateway',
  agent_runs: 'ai',
  tokens_in: 'ai',
  tokens_out: 'ai',
  syncs: 'data',
  records: 'data',
  forecast_runs: 'solutions',
  deliveries: 'webhook-delivery',
} as const satisfies Record<Meter, SignerName>

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
