import { type integrationsInternal, type Operation, problem } from '@wp/contracts'
import { openSecrets } from '../connections/secrets.ts'
import { inWorkspace } from '../connections/workspace.ts'
import type { Context } from '../context.ts'
import { findIntegration } from '../store/integrations.ts'

/** A transaction although it only reads: who was given the secrets is written with it. */
export const resolveSecret: Operation<typeof integrationsInternal.resolveSecret, Context> = (
  { database, sealer },
  caller,
  { params: { integration_id: id } },
) =>
  database.transact(caller, async (tx) => {
    const row = await findIntegration(tx.db, inWorkspace(caller), id)
    if (row.status === 'disconnected') throw problem('integration_disconnected')
    return {
      integration_id: id,
      provider: row.provider,
      config: row.config,
      secrets: openSecrets(sealer, id, row.secrets),
      revision: row.revision,
    }
  })
