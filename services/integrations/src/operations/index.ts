import type { integrations, integrationsInternal, Operations } from '@wp/contracts'
import { quotaUsageOperation } from '@wp/database'
import type { Context } from '../context.ts'
import { integrationQuota } from '../store/integrations.ts'
import { createIntegration } from './create-integration.ts'
import { deleteIntegration } from './delete-integration.ts'
import { findConnected } from './find-connected.ts'
import { getIntegration, listIntegrations, listProviders } from './read-integrations.ts'
import { resolveSecret } from './resolve-secret.ts'
import { testIntegration } from './test-integration.ts'
import { updateIntegration } from './update-integration.ts'
import { registerUse, releaseUse, reportUse } from './uses.ts'

export const operations = {
  listProviders,
  listIntegrations,
  createIntegration,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  testIntegration,
  readQuotaUsage: quotaUsageOperation(integrationQuota),
  resolveSecret,
  findConnected,
  reportUse,
  registerUse,
  releaseUse,
} satisfies Operations<typeof integrations & typeof integrationsInternal, Context>
