import { agents } from './agents/agents.ts'
import { ai } from './ai/ai.ts'
import { aiInternal } from './ai/internal.ts'
import { audit, auditInternal } from './audit/audit.ts'
import { auditDocs } from './audit/docs.ts'
import { auditRequests } from './audit/requests.ts'
import { auth } from './auth/auth.ts'
import { authAuthorization } from './auth/authorization.ts'
import { authScim } from './auth/directory/scim.ts'
import { authDirectory } from './auth/directory/sign-in-policy.ts'
import { authSso } from './auth/directory/sso.ts'
import { authInternal } from './auth/internal.ts'
import { authPasskeys } from './auth/passkeys/passkeys.ts'
import { authReauthentication } from './auth/reauthentication.ts'
import { authSessions } from './auth/sessions.ts'
import { authSignIn } from './auth/sign-in.ts'
import { authUsers } from './auth/users.ts'
import { billingInvoices } from './billing/invoices.ts'
import { billingPayments } from './billing/payments.ts'
import { billingPlans, billingSubscription } from './billing/subscription.ts'
import { billingInternal, billingUsage } from './billing/usage.ts'
import { isPublic } from './core/endpoint/audience.ts'
import { type EndpointDefinition, serviceOf } from './core/endpoint/endpoint.ts'
import type { ServiceName } from './core/services.ts'
import { data } from './data/data.ts'
import { dataInternal } from './data/internal.ts'
import { dataSearch } from './data/search.ts'
import { integrations } from './integrations/integrations.ts'
import { integrationsInternal } from './integrations/internal.ts'
import { mcp } from './mcp/mcp.ts'
import { notifications } from './notifications/notifications.ts'
import { solutions, solutionsInternal } from './solutions/solutions.ts'
import { system } from './system/system.ts'
import { systemUsage } from './system/usage.ts'
import { systemWorkspaces } from './system/workspaces.ts'
import { eventDestinations } from './webhooks/destinations.ts'
import { webhookPortalLinks } from './webhooks/portal-links.ts'
import { webhookReceivers } from './webhooks/receivers.ts'
import { webhooksInternal } from './webhooks/replays.ts'
import { webhooks } from './webhooks/webhooks.ts'

/** Every endpoint, public and internal, by surface: the first part of its id. */
export const surfaces = {
  auth: {
    ...auth,
    ...authSessions,
    ...authReauthentication,
    ...authPasskeys,
    ...authSignIn,
    ...authAuthorization,
    ...authUsers,
    ...authDirectory,
    ...authScim,
    ...authSso,
    ...authInternal,
  },
  system: { ...system, ...systemUsage, ...systemWorkspaces },
  data: { ...data, ...dataSearch, ...dataInternal },
  integrations: { ...integrations, ...integrationsInternal },
  webhooks: {
    ...webhooks,
    ...webhookReceivers,
    ...webhookPortalLinks,
    ...eventDestinations,
    ...webhooksInternal,
  },
  solutions: { ...solutions, ...solutionsInternal },
  audit: { ...audit, ...auditRequests, ...auditDocs, ...auditInternal },
  agents,
  ai: { ...ai, ...aiInternal },
  mcp,
  billing: {
    ...billingPlans,
    ...billingInvoices,
    ...billingPayments,
    ...billingSubscription,
    ...billingUsage,
    ...billingInternal,
  },
  notifications,
} satisfies Record<string, Record<string, EndpointDefinition>>

/** The name of a surface: a path prefix under `/v1/`, and a member of the typed client. */
export type SurfaceName = keyof typeof surfaces

/** A summary of each surface for the OpenAPI document. */
export const surfaceSummaries: Readonly<Record<SurfaceName, string>> = {
  auth: 'Sign-in, tokens, API keys, service principals, users and roles',
  system: 'Health of the platform, workspaces, their variables and their use of quotas',
  data: 'Data sources, syncs, records and search',
  integrations: 'Integrations with outside providers, and their secrets',
  webhooks: 'Webhook subscriptions, deliveries and the catalogue of event kinds',
  solutions: 'Packaged workflows: workplace forecasting and recommendations',
  audit: 'The audit log: a hash chain per workspace, its verification and compliance exports',
  agents: 'Agents, and the blueprints they are made from',
  ai: 'Runs of agents, chat, conversations and models',
  billing: 'Plans, the subscription of the workspace, usage and invoices',
  notifications: 'Notifications of users, and by which channels they arrive',
  mcp: 'The Model Context Protocol: the platform as tools of AI clients',
}

/** Every endpoint of the platform with its surface and the service that serves it. */
export const endpoints: readonly { surface: SurfaceName; service: ServiceName; definition: EndpointDefinition }[] =
  Object.entries(surfaces).flatMap(([surface, definitions]) =>
    Object.values<EndpointDefinition>(definitions).map((definition) => ({
      surface: surface as SurfaceName, // Object.entries widens the keys of a constant object
      service: serviceOf(definition),
      definition,
    })),
  )

/** Endpoints served through the edge. */
export const publicEndpoints = endpoints.flatMap(({ definition, ...served }) =>
  isPublic(definition) ? [{ ...served, definition }] : [],
)
