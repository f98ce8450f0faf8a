import type { integrations, ResultOf } from '@wp/contracts'
import type { Integration } from './store/integrations.ts'

/** Returns the public form of an integration: the names of its secrets, never their values. */
export const integrationView = (row: Integration): ResultOf<typeof integrations.getIntegration> => ({
  integration_id: row.integrationId,
  provider: row.provider,
  name: row.name,
  config: row.config,
  secret_names: Object.keys(row.secrets).toSorted(),
  status: row.status,
  last_error: row.lastError,
  last_checked_at: row.lastCheckedAt?.toISOString() ?? null,
  metadata: row.metadata,
  external_id: row.externalId,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
