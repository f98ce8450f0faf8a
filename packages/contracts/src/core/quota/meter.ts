import type { SignerName } from '../services.ts'

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
