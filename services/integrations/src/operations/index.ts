import type { integrations, integrationsInternal, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createIntegration } from './create-integration.ts'
import { deleteIntegration } from './delete-integration.ts'
import { findConnected } from './find-connected.ts'
import { getIntegration } from './get-integration.ts'
import { listIntegrations } from './list-integrations.ts'
import { listProviders } from './list-providers.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
import { registerUse } from './register-use.ts'
import { releaseUse } from './release-use.ts'
import { reportUse } from './report-use.ts'
import { resolveSecret } from './resolve-secret.ts'
import { testIntegration } from './test-integration.ts'
import { updateIntegration } from './update-integration.ts'

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
