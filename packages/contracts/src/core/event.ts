import type { z } from 'zod'
import type { ServiceName } from './services.ts'

/** One kind of thing that happens, who says so, and what it carries. */
export interface EventDefinition {
  kind: string
  /** `any`: whichever service made the change. */
  producer: ServiceName | PlannedProducer | 'any'
  summary: string
  /** Whether a workspace's webhook subscriptions can ask for it. */
  isSubscribable: boolean
  data: z.ZodType
  example: Record<string, unknown>
}

/** Producers whose kinds are already in the catalogue, so that subscriptions can name them. */
type PlannedProducer = 'agents' | 'ai' | 'audit' | 'billing'

/** Declares an event kind. */
export function event<const D extends EventDefinition>(definition: D): D {
  return definition
}

/** What lies on the broker. `data` follows the kind's schema; a secret never travels. */
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
