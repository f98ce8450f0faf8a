import { enforceQuota } from '@wp/database'
import { checkAddresses } from '../connections/check-addresses.ts'
import { sealSecrets } from '../connections/seal-secrets.ts'
import type { Operation } from '../context.ts'
import { providers } from '../providers/index.ts'
import { insertIntegration, integrationQuota, newIntegrationId, toJson } from '../store/integrations.ts'
import { integrationView } from './read-integrations.ts'

export const createIntegration: Operation<'createIntegration'> = async (
  { database, providerAccess, sealer },
  caller,
  { body },
) => {
  const { config, secrets, addresses } = providers[body.provider].parse(body.config, body.secrets, providerAccess)
  await checkAddresses(providerAccess, addresses)
  const integrationId = newIntegrationId()
  return database.transact(caller, async (tx) => {
    const integration = await insertIntegration(tx.db, {
      integrationId,
      workspaceId: caller.workspaceId,
      provider: body.provider,
      name: body.name,
      config: toJson(config),
      secrets: sealSecrets(sealer, integrationId, secrets),
      metadata: body.metadata,
      externalId: body.external_id,
    })
    await enforceQuota(tx.query, caller.workspaceId, integrationQuota)
    return integrationView(integration)
  })
}
