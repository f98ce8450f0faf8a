import { type integrations, type Operation, problem } from '@wp/contracts'
import { checkAddresses } from '../connections/check-addresses.ts'
import { sealSecrets } from '../connections/seal-secrets.ts'
import type { Context } from '../context.ts'
import { providers } from '../providers/index.ts'
import { insertIntegration, lockAndCount, newIntegrationId, toJson } from '../store/integrations.ts'
import { integrationView } from '../views.ts'

export const createIntegration: Operation<typeof integrations.createIntegration, Context> = async (
  { database, providerAccess, sealer, quota },
  caller,
  { body },
) => {
  const { config, secrets, addresses } = providers[body.provider].parse(body.config, body.secrets, providerAccess)
  await checkAddresses(providerAccess, addresses)
  const integrationId = newIntegrationId()
  return database.transact(caller, async (tx) => {
    if ((await lockAndCount(tx.query, caller.workspaceId)) >= quota)
      throw problem('quota_exceeded', { detail: `A workspace has at most ${quota} integrations` })
    return integrationView(
      await insertIntegration(tx.db, {
        integrationId,
        workspaceId: caller.workspaceId,
        provider: body.provider,
        name: body.name,
        config: toJson(config),
        secrets: sealSecrets(sealer, integrationId, secrets),
        metadata: body.metadata,
        externalId: body.external_id,
      }),
    )
  })
}
