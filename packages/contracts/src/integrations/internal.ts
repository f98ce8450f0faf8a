import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'
import { Integration, integrationPath, integrationProviders, integrationStates } from './shapes.ts'

/** Services that use integrations. */
const usingServices = ['data', 'ai', 'notifications'] as const

/** A use of an integration: the service, and type and id of its resource. */
const useFields = {
  service: z.enum(usingServices),
  type: z.string().regex(/^[a-z][a-z_]{0,63}$/, 'must be lower-case letters and underscores, at most 64'),
  id: text(200),
}

/**
 * Endpoints of integrations for other services, for the workspace of the call. The use of an integration needs the
 * scope `integrations:read` unless its author has delegated it; the report of a use and its end need none.
 */
export const integrationsInternal = declareEndpoints('integrations', {
  readQuotaUsage: quotaUsageEndpoint('integrations', 'integrations'),
  resolveSecret: {
    method: 'GET',
    path: '/internal/integrations/integrations/{integration_id}/secrets',
    summary: 'Read the configuration and secrets of an integration',
    audience: 'internal',
    workspace: 'none',
    scope: 'integrations:read',
    delegations: ['agent_model', 'source_sync', 'embeddings', 'slack_channel'],
    callers: usingServices,
    params: integrationPath,
    ok: z.object({
      integration_id: id('int'),
      provider: z.enum(integrationProviders),
      name: z.string(),
      config: z.record(z.string(), z.unknown()),
      secrets: z.record(z.string(), z.string()),
      /** Revision of configuration and secrets; to be sent with the result of the use. */
      revision: z.number().int(),
    }),
    secret: { idField: 'integration_id' },
    errors: ['integration_disconnected'],
    audit: { action: 'integration.secret_used', target: 'integration', field: 'integration_id' },
  },
  findConnected: {
    method: 'GET',
    path: '/internal/integrations/connected',
    summary:
      'List the integrations of a provider that are connected, or were before their last change, oldest first; at most ten',
    audience: 'internal',
    workspace: 'none',
    scope: 'integrations:read',
    delegations: ['embeddings'],
    callers: usingServices,
    query: z.strictObject({
      provider: z.enum(integrationProviders),
      /** Only this integration, whatever its status unless it is disconnected. */
      integration_id: id('int').optional(),
      /** A field the configuration must have. */
      with: text(100).optional(),
    }),
    ok: z.object({
      integrations: z.array(
        z.object({
          integration_id: id('int'),
          status: z.enum(integrationStates),
          config: z.record(z.string(), z.unknown()),
          /** See `resolveSecret`. */
          revision: z.number().int(),
        }),
      ),
    }),
  },
  reportUse: {
    method: 'POST',
    path: '/internal/integrations/integrations/{integration_id}/outcome',
    summary: 'Report the result of a use; rejected credentials set the status of the integration to `error`',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: usingServices,
    params: integrationPath,
    body: z.strictObject({
      /** `error`: the use failed, but the credentials were not rejected. */
      outcome: z.enum(['ok', 'unauthorized', 'error']),
      message: text(1000).optional(),
      /** The revision that was used. The result of an older revision than the current one is ignored. */
      revision: z.number().int().optional(),
    }),
    ok: z.object({ integration_id: id('int'), status: z.enum(integrationStates) }),
  },
  registerUse: {
    method: 'POST',
    path: '/internal/integrations/integrations/{integration_id}/uses',
    summary: 'Register a use of an integration; idempotent',
    audience: 'internal',
    workspace: 'none',
    scope: 'integrations:read',
    delegations: ['embeddings'],
    callers: usingServices,
    params: integrationPath,
    body: z.strictObject(useFields),
    ok: Integration,
  },
  releaseUse: {
    method: 'DELETE',
    path: '/internal/integrations/integrations/{integration_id}/uses/{service}/{type}/{id}',
    summary: 'Release a use of an integration; idempotent',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: usingServices,
    params: z.object({ integration_id: id('int'), ...useFields }),
    deleted: 'id',
  },
})
