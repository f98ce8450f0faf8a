import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, metadataFilter, text } from '../core/shape.ts'
import {
  Integration,
  IntegrationPatch,
  integrationPath,
  integrationProviders,
  integrationStates,
  NewIntegration,
  ProviderEntry,
  TestedIntegration,
} from './shapes.ts'

/** How it stands changes by use: whoever changes the integration need not have seen that. */
const volatile = ['status', 'last_error', 'last_checked_at'] as const

/** What a workspace connects to, with the secrets for it. */
export const integrations = {
  listProviders: endpoint({
    id: 'integrations.listProviders',
    method: 'GET',
    path: '/v1/integrations/providers',
    summary: 'The catalogue of providers, with what each needs',
    scope: 'integrations:read',
    query: listQuery({}),
    list: ProviderEntry,
  }),
  listIntegrations: endpoint({
    id: 'integrations.listIntegrations',
    method: 'GET',
    path: '/v1/integrations/integrations',
    summary: 'List integrations',
    scope: 'integrations:read',
    query: listQuery({
      provider: z.enum(integrationProviders).optional(),
      status: z.enum(integrationStates).optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Integration,
  }),
  createIntegration: endpoint({
    id: 'integrations.createIntegration',
    method: 'POST',
    path: '/v1/integrations/integrations',
    summary: 'Create an integration; test it to connect it',
    scope: 'integrations:write',
    body: NewIntegration,
    created: Integration,
    location: '/v1/integrations/integrations/{integration_id}',
    errors: ['quota_exceeded'],
    audit: { action: 'integration.created', target: 'integration', field: 'integration_id' },
  }),
  getIntegration: endpoint({
    id: 'integrations.getIntegration',
    method: 'GET',
    path: '/v1/integrations/integrations/{integration_id}',
    summary: 'Read an integration, without its secrets',
    scope: 'integrations:read',
    params: integrationPath,
    volatile,
    ok: Integration,
  }),
  updateIntegration: endpoint({
    id: 'integrations.updateIntegration',
    method: 'PATCH',
    path: '/v1/integrations/integrations/{integration_id}',
    summary: 'Change an integration, or replace some of its secrets',
    description:
      'A change of where its secrets are sent (an address, a host, how TLS is used) must come with every secret anew, ' +
      'so that nobody who may write but not read has one sent to themselves.',
    scope: 'integrations:write',
    params: integrationPath,
    body: IntegrationPatch,
    volatile,
    ok: Integration,
    audit: { action: 'integration.updated', target: 'integration', field: 'integration_id' },
  }),
  deleteIntegration: endpoint({
    id: 'integrations.deleteIntegration',
    method: 'DELETE',
    path: '/v1/integrations/integrations/{integration_id}',
    summary: 'Delete an integration with its secrets',
    description: 'While something uses it the answer is 409 with `users`, unless `force` is true.',
    scope: 'integrations:write',
    params: integrationPath,
    query: z.strictObject({ force: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false) }),
    deleted: 'integration_id',
    errors: ['integration_in_use'],
    audit: { action: 'integration.deleted', target: 'integration', field: 'integration_id' },
  }),
  testIntegration: endpoint({
    id: 'integrations.testIntegration',
    method: 'POST',
    path: '/v1/integrations/integrations/{integration_id}/test',
    summary: 'Try an integration: connect, and show its credentials',
    description: 'A test that fails is answered 200 as well: `ok` is false, and `error` says why.',
    scope: 'integrations:write',
    params: integrationPath,
    ok: TestedIntegration,
    errors: ['integration_disconnected'],
    audit: { action: 'integration.tested', target: 'integration', field: 'integration_id' },
  }),
}

/** Services that use integrations. Others join when they are there. */
const users = ['data'] as const

/** A thing that uses an integration: a service, what it calls the thing, and which one. */
const use = {
  service: z.enum(users),
  type: z.string().regex(/^[a-z][a-z_]{0,63}$/),
  id: text(200),
}

/**
 * What other services ask of integrations. Always of the workspace they are called in; they need no scope, because what
 * the caller may do with the integration's user, a source for instance, was checked where that is kept.
 */
export const integrationsInternal = {
  resolveSecret: endpoint({
    id: 'integrations.resolveSecret',
    method: 'GET',
    path: '/internal/integrations/integrations/{integration_id}/secrets',
    summary: 'Configuration and secrets, to connect with',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: users,
    params: integrationPath,
    ok: z.object({
      integration_id: id('int'),
      provider: z.enum(integrationProviders),
      config: z.record(z.string(), z.unknown()),
      secrets: z.record(z.string(), z.string()),
      /** Of configuration and secrets; to be said with how the use went. */
      revision: z.number().int(),
    }),
    secret: { idField: 'integration_id' },
    errors: ['integration_disconnected'],
    audit: { action: 'integration.secret_used', target: 'integration', field: 'integration_id' },
  }),
  findConnected: endpoint({
    id: 'integrations.findConnected',
    method: 'GET',
    path: '/internal/integrations/connected',
    summary: 'Which integrations of a provider are connected, the oldest first; at most ten',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: users,
    query: z.strictObject({
      provider: z.enum(integrationProviders),
      /** A member the configuration must have. */
      with: text(100).optional(),
    }),
    ok: z.object({
      integrations: z.array(
        z.object({
          integration_id: id('int'),
          config: z.record(z.string(), z.unknown()),
          /** As `resolveSecret` says it. */
          revision: z.number().int(),
        }),
      ),
    }),
  }),
  reportUse: endpoint({
    id: 'integrations.reportUse',
    method: 'POST',
    path: '/internal/integrations/integrations/{integration_id}/outcome',
    summary: 'Say how a use went; a refused credential turns the integration to `error`',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: users,
    params: integrationPath,
    body: z.strictObject({
      /** `error`: it did not work, but its credentials were not refused. */
      outcome: z.enum(['ok', 'unauthorized', 'error']),
      message: text(1000).optional(),
      /** Which one was used; an outcome that is older than a change says nothing. */
      revision: z.number().int().optional(),
    }),
    ok: z.object({ integration_id: id('int'), status: z.enum(integrationStates) }),
  }),
  registerUse: endpoint({
    id: 'integrations.registerUse',
    method: 'POST',
    path: '/internal/integrations/integrations/{integration_id}/uses',
    summary: 'Say that something uses an integration; any number of times',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: users,
    params: integrationPath,
    body: z.strictObject(use),
    ok: Integration,
  }),
  releaseUse: endpoint({
    id: 'integrations.releaseUse',
    method: 'DELETE',
    path: '/internal/integrations/integrations/{integration_id}/uses/{service}/{type}/{id}',
    summary: 'Say that something no longer uses an integration, whether or not it did',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: users,
    params: z.object({ integration_id: id('int'), ...use }),
    deleted: 'id',
  }),
}
