import { type integrations, type Operation, problem } from '@wp/contracts'
import { checkAddresses } from '../connections/check-addresses.ts'
import { sealSecrets } from '../connections/secrets.ts'
import type { Context } from '../context.ts'
import { providers } from '../providers/index.ts'
import { countForAdding, insertIntegration, jsonOf, newIntegrationId } from '../store/integrations.ts'
import { integrationView } from '../views.ts'

export const createIntegration: Operation<typeof integrations.createIntegration, Context> = async (
  { database, outside, sealer, quota },
  caller,
  { body },
) => {
  const { config, secrets, addresses } = providers[body.provider].read(body.config, body.secrets, outside)
  await checkAddresses(outside, addresses)
  const integrationId = newIntegrationId()
  return database.transact(caller, async (tx) => {
    if ((await countForAdding(tx.query, caller.workspaceId)) >= quota)
      throw problem('quota_exceeded', { detail: `A workspace has at most ${quota} integrations` })
    return integrationView(
      await insertIntegration(tx.db, {
        integrationId,
        workspaceId: caller.workspaceId,
        provider: body.provider,
        name: body.name,
        config: jsonOf(config),
        secrets: sealSecrets(sealer, integrationId, secrets),
        metadata: body.metadata,
        externalId: body.external_id,
      }),
    )
  })
}
