import type { EndpointDefinition } from './endpoint.ts'
import { webhooks } from './webhooks.ts'

type Twin<D extends EndpointDefinition> = Omit<
  D,
  'id' | 'path' | 'callers' | 'audience' | 'location' | 'credentials'
> & {
  id: `webhook-delivery.${string}`
  path: `/internal/webhook-delivery/${string}`
  audience: 'internal'
  callers: readonly ['webhooks']
}

/** The same promise one door further in, callable by the public service alone. */
function twin<const D extends EndpointDefinition>(definition: D): Twin<D> {
  const { location: _location, credentials: _credentials, ...rest } = definition
  return {
    ...rest,
    id: `webhook-delivery.${definition.id.slice(definition.id.indexOf('.') + 1)}`,
    path: `/internal/webhook-delivery/${definition.path.slice('/v1/webhooks/'.length)}`,
    audience: 'internal',
    callers: ['webhooks'],
  } as Twin<D> // Omit over a type parameter is opaque to the compiler; the spread above keeps every other member
}

const { listEventKinds: _catalogue, ...kept } = webhooks

type Kept = typeof kept

/** Internal endpoints of webhook-delivery, one for each public endpoint whose data it keeps. */
export const webhookDelivery = Object.fromEntries(
  Object.entries(kept).map(([name, definition]) => [name, twin(definition)]),
) as { [Name in keyof Kept]: Twin<Kept[Name]> } // fromEntries forgets which name had which value; the map above keeps them paired
