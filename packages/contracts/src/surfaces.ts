import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { authInternal } from './auth-internal.ts'
import { authSessions } from './auth-sessions.ts'
import { authSignIn } from './auth-sign-in.ts'
import { authUsers } from './auth-users.ts'
import { data, dataInternal } from './data.ts'
import { dataSearch } from './data-search.ts'
import type { EndpointDefinition } from './endpoint.ts'
import { integrations, integrationsInternal } from './integrations.ts'
import type { ServiceName } from './services.ts'
import { solutions } from './solutions.ts'
import { system } from './system.ts'
import { webhookDelivery } from './webhook-delivery.ts'
import { webhooks } from './webhooks.ts'

/** Every endpoint, by the service that serves it. */
export const surfaces = {
  auth: { ...auth, ...authSessions, ...authSignIn, ...authUsers, ...authInternal },
  system,
  data: { ...data, ...dataSearch, ...dataInternal },
  integrations: { ...integrations, ...integrationsInternal },
  webhooks,
  'webhook-delivery': webhookDelivery,
  solutions,
  audit,
} satisfies Record<ServiceName, Record<string, EndpointDefinition>>

/** Every endpoint of the platform with the service that serves it. */
export const endpoints: readonly { service: ServiceName; definition: EndpointDefinition }[] = Object.entries(
  surfaces,
).flatMap(([service, surface]) =>
  Object.values(surface).map((definition) => ({
    service: service as ServiceName, // the keys of `surfaces` are checked against ServiceName above
    definition: definition as EndpointDefinition, // likewise its values
  })),
)

/** Endpoints the edge serves. */
export const publicEndpoints = endpoints.filter(({ definition }) => (definition.audience ?? 'public') === 'public')
