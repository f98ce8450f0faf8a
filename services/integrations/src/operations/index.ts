import type { integrations, integrationsInternal, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createIntegration } from './create-integration.ts'
import { deleteIntegration } from './delete-integration.ts'
import { findConnected } from './find-connected.ts'
import { listProviders } from './list-providers.ts'
import { getIntegration, listIntegrations } from './read-integrations.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
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
  readQuotaUsage,
  resolveSecret,
  findConnected,
  reportUse,
  registerUse,
  releaseUse,
} satisfies Operations<typeof integrations & typeof integrationsInternal, Context>
