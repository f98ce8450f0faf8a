import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { listQuery, metadataFilter, searchFilter, text } from '../core/shape/shape.ts'
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

/** Fields that change by use of an integration; a change of the integration need not depend on them. */
const volatile = ['status', 'last_error', 'last_checked_at'] as const

/** Integrations of a workspace with outside providers, and their secrets. */
export const integrations = declareEndpoints('integrations', {
  listProviders: {
    method: 'GET',
    path: '/v1/integrations/providers',
    summary: 'List the supported providers, with the configuration each requires',
    description:
      '`config_schema` and `secrets_schema` of a provider say what an integration of it needs (JSON Schema), so that a form can be built from them.',
    scope: 'integrations:read',
    query: listQuery({}),
    list: ProviderEntry,
  },
  listIntegrations: {
    method: 'GET',
    path: '/v1/integrations/integrations',
    summary: 'List integrations',
    description:
      'Lists the integrations of the workspace, newest first, with their status and last error. Secrets are never returned.',
    scope: 'integrations:read',
    query: listQuery({
      provider: z.enum(integrationProviders).optional(),
      status: z.enum(integrationStates).optional(),
      search: searchFilter('the name'),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Integration,
    tool: { name: 'list_integrations', hints: { readOnly: true } },
  },
  createIntegration: {
    method: 'POST',
    path: '/v1/integrations/integrations',
    summary: 'Create an integration; a successful test connects it',
    description:
      'Stores the configuration and the secrets, which are encrypted, and tests the connection. The integration exists also if the test fails; `last_error` says why.',
    scope: 'integrations:write',
    body: NewIntegration,
    created: Integration,
    location: '/v1/integrations/integrations/{integration_id}',
    errors: ['quota_exceeded'],
    audit: { action: 'integration.created', target: 'integration', field: 'integration_id' },
  },
  getIntegration: {
    method: 'GET',
    path: '/v1/integrations/integrations/{integration_id}',
    summary: 'Read an integration, without its secrets',
    description: 'Returns the configuration, the status and the result of the last check.',
    scope: 'integrations:read',
    callers: ['ai', 'notifications'],
    params: integrationPath,
    volatile,
    ok: Integration,
  },
  updateIntegration: {
    method: 'PATCH',
    path: '/v1/integrations/integrations/{integration_id}',
    summary: 'Change an integration, or replace secrets',
    description:
      'A change of the destination of its secrets (address, host, use of TLS) must include every secret again. Otherwise ' +
      'a caller who can write but not read secrets could have them sent to another server.',
    scope: 'integrations:write',
    params: integrationPath,
    body: IntegrationPatch,
    volatile,
    ok: Integration,
    audit: { action: 'integration.updated', target: 'integration', field: 'integration_id' },
  },
  deleteIntegration: {
    method: 'DELETE',
    path: '/v1/integrations/integrations/{integration_id}',
    summary: 'Delete an integration with its secrets',
    description: '409 with `users` while it is in use, unless `force` is true.',
    scope: 'integrations:write',
    params: integrationPath,
    query: z.strictObject({
      force: z
        .stringbool({ truthy: ['true'], falsy: ['false'] })
        .default(false)
        .describe('True to delete the integration although resources use it'),
    }),
    deleted: 'integration_id',
    errors: ['integration_in_use'],
    audit: { action: 'integration.deleted', target: 'integration', field: 'integration_id' },
  },
  testIntegration: {
    method: 'POST',
    path: '/v1/integrations/integrations/{integration_id}/test',
    summary: 'Test an integration: connect and authenticate',
    description: 'A failed test is also 200: `ok` is false, and `error` has the reason.',
    scope: 'integrations:write',
    params: integrationPath,
    ok: TestedIntegration,
    errors: ['integration_disconnected'],
    audit: { action: 'integration.tested', target: 'integration', field: 'integration_id' },
  },
})
