import type { InvoiceStatus, Meter, UsageDimension, UsageGrouping } from '@wp/contracts'

// Repeated here because routes may not load the contracts; the type check compares them.

export const usageMeters = [
  'api_calls',
  'agent_runs',
  'tokens_in',
  'tokens_out',
  'syncs',
  'records',
  'forecast_runs',
  'deliveries',
] as const satisfies readonly Meter[]

export const usageDimensions = [
  'service',
  'model',
  'agent_id',
  'data_source_id',
] as const satisfies readonly UsageDimension[]

export const usageSteps = ['hour', 'day', 'month'] as const satisfies readonly UsageGrouping[]
export type UsageStep = (typeof usageSteps)[number]

/** The time ranges of the usage page: `period` is the current one of the plan. */
export const usageRanges = ['period', '7d', '30d', '90d', '365d'] as const
export type UsageRange = (typeof usageRanges)[number]

export const invoiceStatuses = ['draft', 'open', 'paid', 'void'] as const satisfies readonly InvoiceStatus[]

/** The names of meters, in the plural. */
export const meterNames: Readonly<Record<Meter, string>> = {
  api_calls: 'API calls',
  agent_runs: 'Agent runs',
  tokens_in: 'Input tokens',
  tokens_out: 'Output tokens',
  syncs: 'Syncs',
  records: 'Records written',
  forecast_runs: 'Forecast runs',
  deliveries: 'Webhook deliveries',
}
