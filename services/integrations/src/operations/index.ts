// Every operation of the service, by the name of its endpoint.
import { quotaUsageOperation } from '@wp/database'
import { integrationQuota } from '../store/quotas.ts'

export * from './create-integration.ts'
export * from './delete-integration.ts'
export * from './find-connected.ts'
export * from './list-providers.ts'
export * from './read-integrations.ts'
export * from './resolve-secret.ts'
export * from './test-integration.ts'
export * from './update-integration.ts'
export * from './uses.ts'

export const readQuotaUsage = quotaUsageOperation(integrationQuota)
