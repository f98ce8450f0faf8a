import { type HttpConfig, invalidField, type SourceConfig, type SourceProvider } from '@wp/contracts'
import { newId } from '@wp/database'
import { isSubUrl } from '@wp/outbound'
import { createIntegrationUses, type IntegrationReference } from '@wp/service/integration-uses'
import type { Client } from '../store/client.ts'
import { lockIntegrationUse } from '../store/sources/locked-source.ts'

/** The uses of integrations by sources. */
export const { changeWithIntegrations, enqueueRelease, releaseJobs } = createIntegrationUses<Client>({
  service: 'data',
  type: 'data_source',
  purpose: 'Reading a source through an integration',
  newJobId: () => newId('sync'),
  lockUse: ({ query, workspaceId }, { resourceId: dataSourceId, integrationId }) =>
    lockIntegrationUse(query, { workspaceId: workspaceId ?? '', dataSourceId }, integrationId),
})

/** Returns the reference of a source to its integration. */
export const integrationReference = (
  integrationId: string,
  { provider, config }: { provider: SourceProvider; config: SourceConfig },
): IntegrationReference => ({
  integrationId,
  provider,
  pointer: '/integration_id',
  assertFits({ config: { base_url: base } }) {
    if (provider !== 'http') return
    const { url } = config as HttpConfig // the config of an http source
    if (typeof base !== 'string' || !isSubUrl(url, base))
      throw invalidField('/config/url', "must be at or below the integration's `base_url`")
  },
})
