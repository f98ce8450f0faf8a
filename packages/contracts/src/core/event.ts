import type { z } from 'zod'
import type { ServiceName } from './services.ts'

/** An event kind: its producer, its payload, and who may receive it. */
export interface EventDefinition {
  kind: string
  /** `any`: the service that made the change. */
  producer: ServiceName | 'any'
  summary: string
  /** True if webhook subscriptions can select it. */
  isSubscribable: boolean
  data: z.ZodType
  example: Record<string, unknown>
}

/** Declares an event kind. */
export function event<const D extends EventDefinition>(definition: D): D {
  return definition
}

/** An event as it is published on the broker. `data` has the shape of the kind and never contains a secret. */
export interface DomainEvent<Data = Record<string, unknown>> {
  id: string
  kind: string
  workspace_id: string
  /** RFC 3339, UTC, milliseconds. */
  occurred_at: string
  actor: { id: string; type: string }
  request_id: string
  traceparent: string | null
  data: Data
}
