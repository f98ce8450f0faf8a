import { type EndpointDefinition, surfaceOf } from '../core/endpoint/endpoint.ts'
import { type Problem, problem } from '../core/error/error.ts'
import type { Meter } from '../core/quota/meter.ts'
import type { ServiceName } from '../core/services.ts'

/**
 * The service that refuses further use of a meter once it is exhausted. Auth tells the edge of `api_calls`. Deliveries
 * are never refused: an event that happened must reach its subscriber.
 */
export const meterEnforcers = {
  api_calls: 'auth',
  agent_runs: 'ai',
  tokens_in: 'ai',
  tokens_out: 'ai',
  syncs: 'data',
  records: 'data',
  forecast_runs: 'solutions',
  deliveries: null,
} as const satisfies Record<Meter, ServiceName | null>

/** Returns true if a service refuses the use of some meter. */
export const enforcesMeters = (service: string): boolean =>
  Object.values<string | null>(meterEnforcers).includes(service)

/** Surfaces that answer also when a workspace has used up its calls: it must be able to change its plan. */
const callExemptSurfaces: ReadonlySet<string> = new Set(['auth', 'system', 'billing'])

/** Returns true if the edge refuses calls of an endpoint when the meter `api_calls` is exhausted. */
export const isCallLimited = (definition: EndpointDefinition): boolean =>
  definition.credentials !== 'none' && !callExemptSurfaces.has(surfaceOf(definition))

/** Creates the error of a request that would use an exhausted meter. */
export const meterExhausted = (meter: Meter, periodEnd: Date): Problem =>
  problem('quota_exceeded', {
    detail: `The plan includes no more ${meter.replaceAll('_', ' ')} until ${periodEnd.toISOString()}; change to a higher plan to continue`,
    extra: { meter, resets_at: periodEnd.toISOString() },
  })
