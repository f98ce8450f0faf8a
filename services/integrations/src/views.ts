import { integrations, type ResultOf } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { Integration } from './store/integrations.ts'

/** Returns the public form of an integration: the names of its secrets, never their values. */
export const integrationView = (row: Integration): ResultOf<typeof integrations.getIntegration> =>
  viewOf(integrations.getIntegration.ok, row, { secret_names: Object.keys(row.secrets).toSorted() })
