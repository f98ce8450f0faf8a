import { quotaUsageOperation } from '@wp/database'
import { integrationQuota } from '../store/integrations.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { createIntegration } from './create-integration.ts'
export { deleteIntegration } from './delete-integration.ts'
export { findConnected } from './find-connected.ts'
export { getIntegration, listIntegrations, listProviders } from './read-integrations.ts'
export { resolveSecret } from './resolve-secret.ts'
export { testIntegration } from './test-integration.ts'
export { updateIntegration } from './update-integration.ts'
export { registerUse, releaseUse, reportUse } from './uses.ts'

export const readQuotaUsage = quotaUsageOperation(integrationQuota)
